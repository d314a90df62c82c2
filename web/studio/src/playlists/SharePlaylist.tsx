import { useId, useState, type FormEvent } from "react";
import { useClient } from "urql";

import { save, type Known } from "../graph/conflict";
import { fieldOf, messageOf } from "../graph/errors";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Dialog } from "../ui/Dialog";
import { Checkbox } from "../ui/Checkbox";
import { TextField } from "../ui/Field";
import { toast } from "../ui/toast";
import { readPlaylist } from "./changes";
import { ChangePlaylistDocument, type LinkScope, type PlaylistRowFragment } from "./made/graphql";
import css from "./Playlists.module.css";

type Values = { linkScope: LinkScope; searchEngineIndexingEnabled: boolean };

const scopes: readonly { scope: LinkScope; label: string; about: string }[] = [
  { scope: "PUBLIC", label: "Anyone with the link", about: "No account is needed." },
  { scope: "PRIVATE", label: "Members only", about: "Only people of this workspace who are signed in." },
  { scope: "PASSWORD", label: "Password", about: "Anyone with the link who knows the password." },
];

const embeds = { scope: "EMBEDONLY", label: "Embeds only", about: "Only inside other pages." } as const;

const valuesOf = ({ linkScope, searchEngineIndexingEnabled }: PlaylistRowFragment): Values => ({ linkScope, searchEngineIndexingEnabled });

/** SharePlaylist decides who may open the playlist's page. A password that was set is never shown. */
export function SharePlaylist({ playlist, onClose, onSaved }: { playlist: PlaylistRowFragment; onClose: () => void; onSaved: (playlist: PlaylistRowFragment) => void }) {
  const client = useClient();
  const form = useId();
  const [base, setBase] = useState<Known<Values, string>>({ values: valuesOf(playlist), revision: playlist.updatedAt });
  const [values, setValues] = useState(base.values);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<{ field: string; rule: string } | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const needed = values.linkScope === "PASSWORD" && base.values.linkScope !== "PASSWORD";
    if (needed && !password) return setProblem({ field: "password", rule: "Enter a password." });

    const secret = values.linkScope === "PASSWORD" && password ? { password } : {};
    const changed: Partial<Values> & { password?: string } = {
      ...(values.linkScope !== base.values.linkScope && { linkScope: values.linkScope }),
      ...(values.searchEngineIndexingEnabled !== base.values.searchEngineIndexingEnabled && { searchEngineIndexingEnabled: values.searchEngineIndexingEnabled }),
      ...secret,
    };
    if (!Object.keys(changed).length) return onClose();

    setBusy(true);
    setProblem(null);
    const outcome = await save<Partial<Values> & { password?: string }, string, { updatePlaylist: { playlist: PlaylistRowFragment } }>({
      base,
      changed,
      send: (changed, revision) => client.mutation(ChangePlaylistDocument, { id: playlist.id, input: changed, base: revision }).toPromise(),
      read: async () => {
        const now = await readPlaylist(client, playlist.id);
        return now && { values: valuesOf(now), revision: now.updatedAt };
      },
    });
    setBusy(false);

    if ("data" in outcome) {
      toast("Sharing saved");
      onSaved(outcome.data.updatePlaylist.playlist);
      return onClose();
    }
    if ("error" in outcome) return setProblem(fieldOf(outcome.error) ?? { field: "", rule: messageOf(outcome.error) });
    const theirs = { values: outcome.theirs.values as Values, revision: outcome.theirs.revision };
    setBase(theirs);
    const label = [...scopes, embeds].find(({ scope }) => scope === theirs.values.linkScope)!.label;
    setProblem({ field: "", rule: `Somebody else changed the sharing meanwhile: it is “${label}” now. Choose Save again to use yours.` });
  }

  return (
    <Dialog
      title="Share"
      onClose={onClose}
      actions={
        <>
          <CopyButton text={playlist.links.viewPage} said="Link copied">
            Copy link
          </CopyButton>
          <Button look="strong" type="submit" form={form} busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css["form"]} onSubmit={(event) => void submit(event)}>
        <fieldset className={css["radios"]}>
          <legend>Who may watch</legend>
          {[...scopes, ...(playlist.linkScope === "EMBEDONLY" ? [embeds] : [])].map(({ scope, label, about }) => (
            <div key={scope} className={css["radio"]}>
              <input type="radio" name={`${form}-scope`} id={`${form}-${scope}`} aria-describedby={`${form}-${scope}-about`} checked={values.linkScope === scope} onChange={() => setValues({ ...values, linkScope: scope })} {...(values.linkScope === scope && { "data-first": true })} />
              <label htmlFor={`${form}-${scope}`}>{label}</label>
              <p id={`${form}-${scope}-about`}>{about}</p>
            </div>
          ))}
        </fieldset>
        {values.linkScope === "PASSWORD" && (
          <TextField label="Password" {...(base.values.linkScope === "PASSWORD" && { hint: "Leave it empty to keep the present one." })} autoComplete="off" maxLength={255} value={password} onText={setPassword} problem={problem?.field === "password" ? problem.rule : null} />
        )}
        <Checkbox label="Search engines may list it" checked={values.searchEngineIndexingEnabled} onCheck={(searchEngineIndexingEnabled) => setValues({ ...values, searchEngineIndexingEnabled })} />
        <p className={css["quiet"]}>Each video keeps its own sharing: people see those videos that they may watch.</p>
        {problem && problem.field !== "password" && (
          <p role="alert" className={css["problem"]}>
            {problem.rule}
          </p>
        )}
      </form>
    </Dialog>
  );
}
