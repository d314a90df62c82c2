import { useState, type FormEvent } from "react";
import { useClient } from "urql";

import { save } from "../graph/conflict";
import { messageOf } from "../graph/errors";
import { clock } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/Field";
import { TextArea } from "../ui/TextArea";
import { Menu } from "../ui/Menu";
import { toast } from "../ui/toast";
import { placed, without, type Chapter } from "./chapters";
import { readAgain, type Video } from "./edit";
import { Stamp } from "./Frame";
import { ReplaceChaptersDocument } from "./made/graphql";
import { usePlayed, usePlayer } from "./player";
import css from "./Video.module.css";

const chaptersOf = (video: Video): Chapter[] => video.chapters.map(({ title, description, timestampSeconds }) => ({ title, description, timestampSeconds }));

/** useChapters returns what saves another list of chapters. It reports what went wrong, or "". */
function useChapters(video: Video) {
  const client = useClient();

  return async (chapters: Chapter[]): Promise<string> => {
    const outcome = await save({
      base: { values: { chapters: chaptersOf(video) }, revision: video.revision },
      changed: { chapters },
      send: (changed, revision) => client.mutation(ReplaceChaptersDocument, { id: video.id, chapters: changed.chapters!, revision }).toPromise(),
      read: async () => {
        const now = await readAgain(client, video.id);
        return now && { values: { chapters: chaptersOf(now) }, revision: now.revision };
      },
    });
    if ("data" in outcome) return "";
    if ("error" in outcome) return messageOf(outcome.error);
    const theirs = outcome.theirs.values.chapters.map((chapter) => `${clock(chapter.timestampSeconds * 1000)} ${chapter.title}`);
    return `Somebody else changed the chapters meanwhile. They are now: ${theirs.join(", ") || "none"}. Do it again if you still want it.`;
  };
}

/** Chapters lists the chapters, and changes them for those who may edit. */
export function Chapters({ video, edits }: { video: Video; edits: boolean }) {
  const player = usePlayer();
  const current = usePlayed((ms) => video.chapters.findLastIndex((chapter) => chapter.timestampSeconds * 1000 <= ms + 50));
  const change = useChapters(video);
  const [edited, setEdited] = useState<Chapter | "new" | null>(null);

  if (!edits && !video.chapters.length) return null;

  async function remove(chapter: Chapter) {
    const before = chaptersOf(video);
    const problem = await change(without(before, chapter.timestampSeconds));
    if (problem) toast(problem, { problem: true });
    else toast(`Chapter “${chapter.title}” removed`);
  }

  return (
    <section className={css["card"]} aria-labelledby="chapters">
      <div className={css["cardHead"]}>
        <h2 id="chapters">Chapters</h2>
        {edits && (
          <Button icon="plus" look="quiet" onClick={() => setEdited("new")}>
            Add chapter
          </Button>
        )}
      </div>
      {video.chapters.length ? (
        <ol className={css["list"]}>
          {video.chapters.map((chapter, i) => (
            <li key={chapter.id} className={css["entry"]}>
              <button type="button" className={css["jump"]} aria-current={i === current} onClick={() => player.seek(chapter.timestampSeconds * 1000)}>
                <Stamp ms={chapter.timestampSeconds * 1000} className={css["stamp"]} />
                <span>
                  <bdi>{chapter.title}</bdi>
                </span>
              </button>
              {edits && (
                <Menu
                  label={`More for ${chapter.title}`}
                  icon="more"
                  look="quiet"
                  compact
                  items={() => [
                    { label: "Rename", icon: "edit", onPick: () => setEdited(chapter) },
                    { label: "Remove", icon: "trash", danger: true, onPick: () => void remove(chapter) },
                  ]}
                />
              )}
            </li>
          ))}
        </ol>
      ) : (
        <p className={css["quiet"]}>Chapters help viewers find a part. Go to its beginning in the player, then add one.</p>
      )}
      {edited && <ChapterDialog video={video} chapter={edited === "new" ? null : edited} change={change} onClose={() => setEdited(null)} />}
    </section>
  );
}

function ChapterDialog({ video, chapter, change, onClose }: { video: Video; chapter: Chapter | null; change: (chapters: Chapter[]) => Promise<string>; onClose: () => void }) {
  const player = usePlayer();
  const [atSeconds] = useState(() => chapter?.timestampSeconds ?? Math.min(Math.floor(player.time / 100) / 10, Math.max(0, video.durationMs / 1000 - 0.1)));
  const [title, setTitle] = useState(chapter?.title ?? "");
  const [description, setDescription] = useState(chapter?.description ?? "");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const name = chapter ? "Rename" : "Add chapter";

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!title.trim()) return setProblem("Enter a title.");
    const rest = chapter ? without(chaptersOf(video), chapter.timestampSeconds) : chaptersOf(video);
    const next = placed(rest, { title, description, timestampSeconds: atSeconds });
    if (!next) return setProblem(`There is a chapter at ${clock(atSeconds * 1000)} already. Go to another time in the player.`);
    setBusy(true);
    const wrong = await change(next);
    setBusy(false);
    if (wrong) setProblem(wrong);
    else onClose();
  }

  return (
    <Dialog
      title={name}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" type="submit" form="chapter" busy={busy}>
            {name}
          </Button>
        </>
      }
    >
      <form id="chapter" className={css["form"]} noValidate onSubmit={(event) => void submit(event)}>
        <p className={css["quiet"]}>Begins at {clock(atSeconds * 1000)}.</p>
        <TextField label="Title" maxLength={255} value={title} onText={setTitle} problem={problem} />
        <TextArea label="Description" rows={2} maxLength={5000} value={description} onText={setDescription} hint="Optional. Viewers see it below the title." />
      </form>
    </Dialog>
  );
}
