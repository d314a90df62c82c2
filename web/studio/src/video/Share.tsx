import { useId, useState, type FormEvent } from "react";
import { useClient } from "urql";

import { here } from "../graph/address";
import { fieldOf, messageOf } from "../graph/errors";
import { clock } from "../text/format";
import { Button } from "../ui/Button";
import { copy, CopyButton } from "../ui/CopyButton";
import { Dialog } from "../ui/Dialog";
import { Checkbox } from "../ui/Checkbox";
import { TextField } from "../ui/Field";
import { TextArea } from "../ui/TextArea";
import { toast } from "../ui/toast";
import { differences, known, saveVideo, scopeLabel, scopes, type Values, type Video } from "./edit";
import { embedCode, mailOf, linkAt } from "./links";
import { usePlayed } from "./player";
import css from "./Video.module.css";

const labels: Partial<Record<keyof Values, string>> = {
  linkScope: "Who can watch",
  allowedEmbedDomains: "Websites that may embed it",
  downloadsEnabled: "Viewers may download the video",
  rawDownloadsEnabled: "Viewers may download the recordings",
  commentsEnabled: "Viewers may comment",
  transcriptsEnabled: "Show the transcript",
  searchEngineIndexingEnabled: "Search engines may list it",
};

const written = (field: keyof Values, value: unknown): string => {
  if (field === "linkScope") return scopeLabel(value as Values["linkScope"]);
  if (Array.isArray(value)) return value.join(", ") || "all websites";
  return value ? "on" : "off";
};

const lines = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** ShareDialog decides who can watch, and has the links. */
export function ShareDialog({ video, edits, onClose }: { video: Video; edits: boolean; onClose: () => void }) {
  return (
    <Dialog title="Share" width="wide" onClose={onClose}>
      <Links video={video} />
      {edits && <Settings video={video} onClose={onClose} />}
      <Embed video={video} />
    </Dialog>
  );
}

function Links({ video }: { video: Video }) {
  const seconds = usePlayed((ms) => Math.floor(ms / 1000));
  const { viewPage } = video.links;

  async function copyMail() {
    const mail = mailOf(video);
    try {
      const both = { "text/html": new Blob([mail.html], { type: "text/html" }), "text/plain": new Blob([mail.text], { type: "text/plain" }) };
      await navigator.clipboard.write([new ClipboardItem(both)]);
      toast("Copied. Paste it into an e-mail.");
    } catch {
      await copy(mail.text, "Link copied. This browser does not copy pictures here.");
    }
  }

  return (
    <div className={css["row"]}>
      <CopyButton look="strong" text={viewPage} said="Link copied">
        Copy link
      </CopyButton>
      <CopyButton icon="clock" text={linkAt(viewPage, seconds)} said={`Link at ${clock(seconds * 1000)} copied`}>
        {`Copy link at ${clock(seconds * 1000)}`}
      </CopyButton>
      <Button icon="film" onClick={() => void copyMail()}>
        Copy for e-mail
      </Button>
    </div>
  );
}

function Settings({ video, onClose }: { video: Video; onClose: () => void }) {
  const id = useId();
  const client = useClient();
  const [base, setBase] = useState(() => known(video));
  const [values, setValues] = useState<Values>(base.values);
  const [domains, setDomains] = useState(values.allowedEmbedDomains.join("\n"));
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<{ field: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }));
  const had = base.values.linkScope === "PASSWORD";

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const locked = values.linkScope === "PASSWORD";
    if (locked && !had && !password) return setProblem({ field: "password", text: "Enter a password." });

    const now = { ...values, allowedEmbedDomains: lines(domains) };
    const changed = { ...differences(base.values, now), ...(locked && password && { password, linkScope: "PASSWORD" as const }) };
    if (!Object.keys(changed).length) return onClose();

    setBusy(true);
    setProblem(null);
    const outcome = await saveVideo(client, video.id, base, changed);
    setBusy(false);

    if ("data" in outcome) {
      toast("Saved");
      return onClose();
    }
    if ("error" in outcome) {
      const about = fieldOf(outcome.error);
      return setProblem({ field: about?.field ?? "", text: about?.rule ?? messageOf(outcome.error) });
    }
    const theirs = outcome.theirs.values;
    const both = (Object.keys(changed) as (keyof Values)[])
      .filter((field) => labels[field] && JSON.stringify(theirs[field]) !== JSON.stringify(base.values[field]))
      .map((field) => `“${labels[field]}” is now ${written(field, theirs[field])}; yours is ${written(field, changed[field])}.`);
    setBase(outcome.theirs);
    setProblem({ field: "", text: `Somebody else changed this meanwhile. ${both.join(" ")} Save again to use yours.` });
  }

  const problemOf = (field: string) => (problem?.field === field ? problem.text : null);
  const elsewhere = problem && !["password", "allowedEmbedDomains"].includes(problem.field);

  return (
    <form className={css["part"]} noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className={css["radios"]}>
        <legend>Who can watch</legend>
        {scopes.map(({ scope, label, about }) => (
          <div key={scope} className={css["radio"]}>
            <input type="radio" name={`${id}-scope`} id={`${id}-${scope}`} aria-describedby={`${id}-${scope}-about`} checked={values.linkScope === scope} onChange={() => set({ linkScope: scope })} {...(values.linkScope === scope && { "data-first": true })} />
            <label htmlFor={`${id}-${scope}`}>{label}</label>
            <p id={`${id}-${scope}-about`}>{about}</p>
          </div>
        ))}
      </fieldset>
      {values.linkScope === "PASSWORD" && (
        <TextField
          label="Password"
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={255}
          value={password}
          onText={setPassword}
          problem={problemOf("password")}
          hint={had ? "Leave it empty to keep the password. A new one locks out everybody who used the old one." : "Send it to your viewers apart from the link. It is not shown again."}
        />
      )}
      <div>
        <Checkbox label={labels.downloadsEnabled!} hint="Everybody who can read the video in this workspace can then export it too." checked={values.downloadsEnabled} onCheck={(downloadsEnabled) => set({ downloadsEnabled })} />
        {values.downloadsEnabled && (
          <Checkbox label={labels.rawDownloadsEnabled!} hint="The files as they were recorded, with everything that was cut out." checked={values.rawDownloadsEnabled} onCheck={(rawDownloadsEnabled) => set({ rawDownloadsEnabled })} />
        )}
        <Checkbox label={labels.commentsEnabled!} checked={values.commentsEnabled} onCheck={(commentsEnabled) => set({ commentsEnabled })} />
        <Checkbox label={labels.transcriptsEnabled!} checked={values.transcriptsEnabled} onCheck={(transcriptsEnabled) => set({ transcriptsEnabled })} />
        <Checkbox label={labels.searchEngineIndexingEnabled!} checked={values.searchEngineIndexingEnabled} onCheck={(searchEngineIndexingEnabled) => set({ searchEngineIndexingEnabled })} />
      </div>
      <TextArea
        label={labels.allowedEmbedDomains!}
        rows={2}
        spellCheck={false}
        placeholder="example.com"
        value={domains}
        onText={setDomains}
        problem={problemOf("allowedEmbedDomains")}
        hint="One domain a line, such as example.com. Its subdomains are included. Without a domain, every website may embed the video."
      />
      {elsewhere && (
        <p role="alert" className={css["problem"]}>
          {problem.text}
        </p>
      )}
      <div className={css["row"]}>
        <Button type="submit" look="strong" busy={busy}>
          Save
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Embed({ video }: { video: Video }) {
  const [shows, setShows] = useState(false);
  const code = embedCode(video);
  const { width, height } = video.dimensions;

  return (
    <div className={css["part"]}>
      <TextArea className={css["code"]} label="Embed code" readOnly rows={2} value={code} onText={() => undefined} onFocus={(event) => event.target.select()} hint="Paste it into the HTML of a page." />
      <div className={css["row"]}>
        <CopyButton text={code} said="Embed code copied">
          Copy embed code
        </CopyButton>
        <Button icon="eye" look="quiet" aria-expanded={shows} onClick={() => setShows(!shows)}>
          Preview
        </Button>
      </div>
      {shows && <iframe className={css["preview"]} src={here(video.links.embedPage)} title="Preview of the embedded video" style={{ aspectRatio: `${width} / ${height}` }} allow="fullscreen" />}
    </div>
  );
}
