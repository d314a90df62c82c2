import { useRef, useState, useSyncExternalStore } from "react";
import { Link } from "wouter";

import { useViewer } from "../app/viewer";
import { bytes } from "../text/format";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { CopyButton } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { Progress } from "../ui/Progress";
import { isBusy, progress, summary, type Upload } from "./queue";
import { upload } from "./start";
import css from "./Tray.module.css";
import type { Uploads } from "./Uploads";

/** Tray shows all uploads of this tab, in one place on every screen. */
export function Tray({ uploads }: { uploads: Uploads }) {
  const all = useSyncExternalStore(uploads.subscribe, uploads.now);
  const [folded, fold] = useState(false);
  if (!all.length) return null;

  const busy = isBusy(all);
  const percent = Math.floor(progress(all) * 100);

  return (
    <section aria-label="Uploads" className={css["tray"]}>
      <header className={css["head"]}>
        <h2 className={css["title"]}>
          <span role="status">{summary(all)}</span>
        </h2>
        {busy && (
          <span className={css["percent"]} aria-hidden="true">
            {percent} %
          </span>
        )}
        <Button compact look="quiet" icon="chevron" aria-expanded={!folded} className={folded ? css["folded"] : undefined} onClick={() => fold(!folded)}>
          Show uploads
        </Button>
        {!busy && all.every(({ state }) => state === "done") && (
          <Button compact look="quiet" icon="close" onClick={() => uploads.clear()}>
            Clear uploads
          </Button>
        )}
      </header>
      {busy && <Progress label="All uploads" value={progress(all)} />}
      {!folded && (
        <>
          <Lost uploads={uploads} all={all} />
          <ul className={css["list"]}>
            {all.map((one) => (
              <Row key={one.id} one={one} uploads={uploads} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Lost continues what a reload interrupted: with one click, or by choosing the files again. */
function Lost({ uploads, all }: { uploads: Uploads; all: readonly Upload[] }) {
  const viewer = useViewer();
  const input = useRef<HTMLInputElement>(null);
  const lost = all.filter(({ state }) => state === "lost");
  if (!lost.length) return null;

  const findable = lost.filter(({ findable }) => findable).length;

  return (
    <div className={css["lost"]}>
      {findable > 0 && (
        <Button look="strong" onClick={() => void uploads.resume()}>
          Continue uploads
        </Button>
      )}
      {findable < lost.length && (
        <>
          <Button onClick={() => input.current!.click()}>Choose the files again</Button>
          <p>They continue where they stopped.</p>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              void upload(viewer, [...event.target.files!].map((file) => ({ file })), null);
              event.target.value = "";
            }}
          />
        </>
      )}
    </div>
  );
}

const states: Record<Exclude<Upload["state"], "failed">, (one: Upload) => string> = {
  waiting: ({ size }) => `Waiting · ${bytes(size)}`,
  sending: ({ sent, size }) => `${bytes(sent)} of ${bytes(size)}`,
  paused: () => "No connection. It goes on by itself.",
  finishing: () => "Making the video…",
  done: () => "Uploaded",
  lost: ({ size }) => `Interrupted · ${bytes(size)}`,
};

function Row({ one, uploads }: { one: Upload; uploads: Uploads }) {
  const { id, name, state, video } = one;

  return (
    <li className={css["row"]}>
      <span className={classes(css["icon"], css[state])}>
        <Icon name={state === "done" ? "check" : state === "failed" ? "alert" : "film"} size={18} />
      </span>
      <div className={css["text"]}>
        {video ? (
          <Link href={`/videos/${video.id}`} className={css["name"]}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <p className={css["name"]}>
            <bdi>{name}</bdi>
          </p>
        )}
        <p className={classes(css["state"], state === "failed" && css["failed"])}>{state === "failed" ? one.problem : states[state](one)}</p>
        {(state === "sending" || state === "paused") && <Progress label={`Upload of ${name}`} value={one.size ? one.sent / one.size : null} />}
      </div>
      {video && (
        <CopyButton compact look="quiet" text={video.link} said="Link copied">
          Copy link
        </CopyButton>
      )}
      {state === "failed" && (
        <Button compact look="quiet" icon="undo" onClick={() => uploads.retry(id)}>
          Try again
        </Button>
      )}
      {state !== "finishing" && state !== "done" && (
        <Button compact look="quiet" icon="close" onClick={() => void uploads.cancel(id)}>
          Cancel
        </Button>
      )}
    </li>
  );
}
