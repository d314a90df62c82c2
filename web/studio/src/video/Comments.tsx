import { useState, type FormEvent } from "react";
import { useClient, useQuery } from "urql";

import { manages, useViewer } from "../app/viewer";
import { messageOf } from "../graph/errors";
import { useDraft } from "../text/draft";
import { ago, clock, moment } from "../text/format";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { Checkbox, TextArea } from "../ui/Field";
import { ErrorNote } from "../ui/Notes";
import { toast } from "../ui/toast";
import type { Video } from "./edit";
import { Stamp } from "./Frame";
import { AddPageCommentDocument, DeletePageCommentDocument, VideoCommentsDocument, type PageCommentFragment } from "./made/graphql";
import { usePlayed, usePlayer } from "./player";
import css from "./Video.module.css";

const page = 50;

/** Comments lists what people wrote, oldest first, and takes a comment at the player's time. */
export function Comments({ video }: { video: Video }) {
  const [first, setFirst] = useState(page);
  const [{ data, error }, again] = useQuery({ query: VideoCommentsDocument, variables: { id: video.id, first } });
  const comments = data?.comments.nodes ?? [];
  const read = () => again({ requestPolicy: "network-only" });

  return (
    <section className={css["card"]} aria-labelledby="comments">
      <div className={css["cardHead"]}>
        <h2 id="comments">Comments{data ? ` (${data.comments.totalCount})` : ""}</h2>
      </div>
      {video.settings.commentsEnabled ? <AddComment video={video} onAdded={read} /> : <p className={css["quiet"]}>Comments are off. “Share” turns them on.</p>}
      {error && !data && <ErrorNote error={error} onRetry={read} />}
      {comments.length > 0 && (
        <ol>
          {comments.map((comment) => (
            <Comment key={comment.id} video={video} comment={comment} onChange={read} />
          ))}
        </ol>
      )}
      {data?.comments.pageInfo.hasNextPage && (
        <div>
          <Button onClick={() => setFirst(Math.min(first + page, 100))}>Show more</Button>
        </div>
      )}
    </section>
  );
}

function AddComment({ video, onAdded }: { video: Video; onAdded: () => void }) {
  const client = useClient();
  const player = usePlayer();
  const at = usePlayed((ms) => clock(ms));
  const [body, setBody, done] = useDraft(`comment:${video.id}`);
  const [pinned, setPinned] = useState(true);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!body.trim()) return setProblem("Write something.");
    setBusy(true);
    const atSeconds = Math.min(player.time, video.durationMs) / 1000;
    const { error } = await client.mutation(AddPageCommentDocument, { id: video.id, input: { body, ...(pinned && { atSeconds }) } }).toPromise();
    setBusy(false);
    if (error) return setProblem(messageOf(error));
    setProblem("");
    setBody("");
    done();
    onAdded();
  }

  return (
    <form className={css["form"]} noValidate onSubmit={(event) => void submit(event)}>
      <TextArea bare label="Comment" placeholder="Write a comment" rows={2} maxLength={5000} value={body} onText={setBody} problem={problem} />
      <div className={css["row"]}>
        <div className={css["grow"]}>
          <Checkbox label={`At ${at}`} checked={pinned} onCheck={setPinned} />
        </div>
        <Button type="submit" busy={busy}>
          Add comment
        </Button>
      </div>
    </form>
  );
}

function Comment({ video, comment, onChange }: { video: Video; comment: PageCommentFragment; onChange: () => void }) {
  const client = useClient();
  const player = usePlayer();
  const viewer = useViewer();
  const [busy, setBusy] = useState(false);
  const removable = comment.userId === viewer.user.id || video.creator.id === viewer.user.id || manages(viewer);

  async function remove() {
    setBusy(true);
    const { error } = await client.mutation(DeletePageCommentDocument, { id: comment.id }).toPromise();
    setBusy(false);
    if (error) toast(messageOf(error), { problem: true });
    else toast("Comment deleted");
    onChange();
  }

  return (
    <li className={css["comment"]}>
      <div className={css["commentHead"]}>
        <b>
          <bdi>{comment.author}</bdi>
        </b>
        {comment.atSeconds !== null && comment.atSeconds !== undefined && (
          <button type="button" className={css["pin"]} onClick={() => player.seek(comment.atSeconds! * 1000, true)}>
            <Stamp ms={comment.atSeconds * 1000} />
          </button>
        )}
        <time className={css["quiet"]} dateTime={comment.createdAt} title={moment(comment.createdAt)}>
          {ago(comment.createdAt)}
        </time>
        {removable && (
          <Button look="quiet" className={classes(css["small"], css["end2"])} busy={busy} onClick={() => void remove()}>
            Delete
          </Button>
        )}
      </div>
      <p className={css["body"]} dir="auto">
        {comment.body}
      </p>
    </li>
  );
}
