import { useId, useState, type FormEvent } from "react";
import { useClient } from "urql";

import { save, type Known } from "../graph/conflict";
import { fieldOf, messageOf } from "../graph/errors";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Select, TextField } from "../ui/Field";
import { TextArea } from "../ui/TextArea";
import { readPlaylist, readSidebar } from "./changes";
import { ChangePlaylistDocument, MakePlaylistDocument, type PlaylistRowFragment, type UpdatePlaylistInput, type Visibility } from "./made/graphql";
import css from "./Playlists.module.css";

type Group = { id: string; name: string };
type Values = { name: string; emoji: string; description: string; groupId: string };

const valuesOf = ({ name, emoji, description, groupId }: PlaylistRowFragment): Values => ({ name, emoji: emoji ?? "", description, groupId: groupId ?? "" });

const labels: Record<keyof Values, string> = { name: "name", emoji: "emoji", description: "description", groupId: "group" };

const visibilities = [
  { value: "ORG", label: "Everybody in the workspace" },
  { value: "PERSONAL", label: "Only me" },
] as const;

/** inputOf is what is sent of changed values: an empty emoji or group is none. */
const inputOf = ({ emoji, groupId, ...rest }: Partial<Values>): UpdatePlaylistInput => ({
  ...rest,
  ...(emoji !== undefined && { emoji: emoji.trim() || null }),
  ...(groupId !== undefined && { groupId: groupId || null }),
});

type Props = { title: "Create playlist" | "Edit"; playlist?: PlaylistRowFragment; groups?: readonly Group[]; onClose: () => void; onSaved: (playlist: PlaylistRowFragment) => void };

/** PlaylistForm creates a playlist or changes it. If somebody else changed the same field meanwhile, it shows both. */
export function PlaylistForm({ title, playlist, groups = [], onClose, onSaved }: Props) {
  const client = useClient();
  const form = useId();
  const [base, setBase] = useState<Known<Values, string> | null>(playlist ? { values: valuesOf(playlist), revision: playlist.updatedAt } : null);
  const [values, setValues] = useState<Values>(playlist ? valuesOf(playlist) : { name: "", emoji: "", description: "", groupId: "" });
  const [visibility, setVisibility] = useState<Visibility>("ORG");
  const [problem, setProblem] = useState<{ field: string; rule: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }));
  const of = (field: string) => (problem?.field === field ? problem.rule : null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!values.name.trim()) return setProblem({ field: "name", rule: "Enter a name." });

    setBusy(true);
    setProblem(null);
    const refused = (error: NonNullable<Awaited<ReturnType<typeof create>>["error"]>) => setProblem(fieldOf(error) ?? { field: "", rule: messageOf(error) });

    if (!playlist || !base) {
      const { data, error } = await create();
      setBusy(false);
      if (error) return refused(error);
      readSidebar(client);
      return onSaved(data!.createPlaylist.playlist);
    }

    const changed = Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== base.values[field as keyof Values])) as Partial<Values>;
    if (!Object.keys(changed).length) return onClose();
    const outcome = await save({
      base,
      changed,
      send: (changed, revision) => client.mutation(ChangePlaylistDocument, { id: playlist.id, input: inputOf(changed), base: revision }).toPromise(),
      read: async () => {
        const now = await readPlaylist(client, playlist.id);
        return now && { values: valuesOf(now), revision: now.updatedAt };
      },
    });
    setBusy(false);

    if ("data" in outcome) {
      readSidebar(client);
      return onSaved(outcome.data.updatePlaylist.playlist);
    }
    if ("error" in outcome) return refused(outcome.error);
    const { theirs } = outcome;
    const field = (Object.keys(changed) as (keyof Values)[]).find((field) => theirs.values[field] !== base.values[field])!;
    const other = field === "groupId" ? (groups.find(({ id }) => id === theirs.values.groupId)?.name ?? "none") : theirs.values[field] || "empty";
    setBase(theirs);
    setProblem({ field, rule: `Somebody else changed the ${labels[field]} meanwhile: “${other}”. Choose Save again to use yours.` });
  }

  const create = () => client.mutation(MakePlaylistDocument, { input: { name: values.name, visibility, ...(values.description && { description: values.description }), ...(values.emoji.trim() && { emoji: values.emoji.trim() }) } }).toPromise();

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" type="submit" form={form} busy={busy}>
            {playlist ? "Save" : title}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css["form"]} onSubmit={(event) => void submit(event)}>
        <TextField label="Name" maxLength={255} value={values.name} onText={(name) => set({ name })} problem={of("name")} />
        <TextField label="Emoji" hint="One, shown before the name. May be empty." autoComplete="off" value={values.emoji} onText={(emoji) => set({ emoji })} problem={of("emoji")} />
        <TextArea label="Description" maxLength={5000} value={values.description} onText={(description) => set({ description })} problem={of("description")} />
        {!playlist && <Select label="Who sees it" value={visibility} options={visibilities} onPick={setVisibility} />}
        {playlist && groups.length > 0 && <Select label="Group" value={values.groupId} options={[{ value: "", label: "No group" }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]} onPick={(groupId) => set({ groupId })} problem={of("groupId")} />}
        {problem && !(problem.field in labels) && (
          <p role="alert" className={css["problem"]}>
            {problem.rule}
          </p>
        )}
      </form>
    </Dialog>
  );
}
