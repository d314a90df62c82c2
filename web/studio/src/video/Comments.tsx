import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useClient, useQuery, useSubscription } from "urql";

import { manages, useViewer } from "../app/viewer";
import { messageOf } from "../graph/errors";
import { useDraft } from "../text/draft";
import { ago, clock, count, moment } from "../text/format";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { Checkbox } from "../ui/Checkbox";
import { TextArea } from "../ui/TextArea";
import { Icon } from "../ui/Icon";
import { Menu, type Item } from "../ui/Menu";
import { ErrorNote } from "../ui/Notes";
import { toast } from "../ui/toast";
import type { Video } from "./edit";
import { Stamp } from "./Frame";
import {
  AddPageCommentDocument, DeletePageCommentDocument, PageCommentsUpdatedDocument, ResolvePageCommentDocument, UpdatePageCommentDocument, VideoCommentsDocument,
  type PageCommentFragment, type PageCommentsUpdatedSubscription,
} from "./made/graphql";
import { usePlayed, usePlayer } from "./player";
import { merged, threads } from "./threads";
import css from "./Video.module.css";

type Said = PageCommentFragment;
type Rights = { edits: boolean; comments: boolean };

/** As many as one request may ask for. */
const page = 100;

/** Comments lists what people wrote, oldest first, and takes comments at the player's time. */
export function Comments({ video, edits }: { video: Video; edits: boolean }) {
  const [{ data, error }, again] = useQuery({ query: VideoCommentsDocument, variables: { id: video.id, first: page } });
  const [all, setAll] = useState(false); // also the resolved ones
  const [news, setNews] = useState<{ changed: Said[]; gone: string[] }>({ changed: [], gone: [] });
  const read = () => again({ requestPolicy: "network-only" });

  // What others write appears by itself.
  useSubscription({ query: PageCommentsUpdatedDocument, variables: { id: video.id } }, (_: unknown, { commentsUpdated: { changed, gone } }: PageCommentsUpdatedSubscription) => {
    if (changed.length || gone.length) setNews((now) => ({ changed: merged(now.changed, changed, gone), gone: [...now.gone, ...gone] }));
    return null;
  });

  const known = data ? merged(data.comments.nodes, news.changed, news.gone) : [];
  const every = threads(known);
  const resolved = every.filter(({ comment }) => comment.resolvedAt).length;
  const rights = { edits, comments: video.settings.commentsEnabled };

  return (
    <section className={css["card"]} aria-labelledby="comments">
      <div className={css["cardHead"]}>
        <h2 id="comments">Comments</h2>
        {resolved > 0 && (
          <Button look="quiet" aria-pressed={all} onClick={() => setAll(!all)}>
            {`Show ${resolved} resolved`}
          </Button>
        )}
      </div>
      {rights.comments ? <AddComment video={video} onAdded={read} /> : <p className={css["quiet"]}>Comments are off for this video.{edits && " “Share” turns them on."}</p>}
      {error && !data && <ErrorNote error={error} onRetry={read} />}
      {every.length > 0 && (
        <ol>
          {every
            .filter(({ comment }) => all || !comment.resolvedAt)
            .map(({ comment, replies }) => (
              <Thread key={comment.id} video={video} comment={comment} replies={replies} rights={rights} onChange={read} />
            ))}
        </ol>
      )}
      {data?.comments.pageInfo.hasNextPage && <p className={css["quiet"]}>These are the first {count(page, "comment")} of {data.comments.totalCount.toLocaleString("en")}.</p>}
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

type OneProps = { video: Video; comment: Said; rights: Rights; onChange: () => void };

function Thread({ replies, ...rest }: OneProps & { replies: Said[] }) {
  const { comment, rights, video, onChange } = rest;
  const client = useClient();
  const [answers, setAnswers] = useState(false);

  return (
    <li className={css["comment"]}>
      <Comment {...rest} {...(rights.comments && { onReply: () => setAnswers(true) })} />
      {(replies.length > 0 || answers) && (
        <ol className={css["replies"]}>
          {replies.map((reply) => (
            <li key={reply.id} className={css["comment"]}>
              <Comment {...rest} comment={reply} />
            </li>
          ))}
          {answers && (
            <li className={css["comment"]}>
              <Writing
                label="Reply"
                draft={`reply:${comment.id}`}
                initial=""
                send={(body) => client.mutation(AddPageCommentDocument, { id: video.id, input: { body, replyToId: comment.id } }).toPromise()}
                onClose={(sent) => {
                  setAnswers(false);
                  if (sent) onChange();
                }}
              />
            </li>
          )}
        </ol>
      )}
    </li>
  );
}

function Comment({ video, comment, rights, onChange, onReply }: OneProps & { onReply?: () => void }) {
  const client = useClient();
  const player = usePlayer();
  const viewer = useViewer();
  const [changing, setChanging] = useState(false);
  const own = comment.userId === viewer.user.id;
  const resolves = !comment.replyToId && (own || rights.edits);
  const removes = own || video.creator.id === viewer.user.id || manages(viewer);

  async function resolve() {
    const { error } = await client.mutation(ResolvePageCommentDocument, { id: comment.id, resolved: !comment.resolvedAt }).toPromise();
    if (error) return void toast(messageOf(error), { problem: true });
    toast(comment.resolvedAt ? "Comment opened again" : "Comment resolved");
    onChange();
  }

  async function remove() {
    const { error } = await client.mutation(DeletePageCommentDocument, { id: comment.id }).toPromise();
    if (error) toast(messageOf(error), { problem: true });
    else toast("Comment deleted");
    onChange();
  }

  const items = (): Item[] => [
    ...(own && rights.comments ? [{ label: "Edit", icon: "edit" as const, onPick: () => setChanging(true) }] : []),
    ...(removes ? [{ label: "Delete", icon: "trash" as const, danger: true, onPick: () => void remove() }] : []),
  ];

  return (
    <>
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
          {comment.editedAt && ", edited"}
        </time>
        {items().length > 0 && (
          <div className={css["end2"]}>
            <Menu label={`More for the comment of ${comment.author}`} icon="more" look="quiet" compact items={items} />
          </div>
        )}
      </div>
      {changing ? (
        <Writing
          label="Edit"
          save="Save"
          draft={`change:${comment.id}`}
          initial={comment.body}
          send={(body) => client.mutation(UpdatePageCommentDocument, { id: comment.id, body }).toPromise()}
          onClose={() => setChanging(false)}
        />
      ) : (
        <p className={css["body"]} dir="auto">
          {comment.body}
        </p>
      )}
      {comment.resolvedAt && (
        <p className={classes(css["quiet"], css["about"])}>
          <Icon name="check" size={14} />
          <span>
            Resolved by <bdi>{comment.resolvedBy}</bdi>
          </span>
        </p>
      )}
      {!comment.replyToId && (onReply || resolves) && (
        <div className={css["row"]}>
          {onReply && (
            <Button look="quiet" className={css["small"]} onClick={onReply}>
              Reply
            </Button>
          )}
          {resolves && (
            <Button look="quiet" className={css["small"]} onClick={() => void resolve()}>
              {comment.resolvedAt ? "Open again" : "Resolve"}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

type WritingProps = { label: string; save?: string; draft: string; initial: string; send: (body: string) => Promise<{ error?: Parameters<typeof messageOf>[0] | undefined }>; onClose: (sent: boolean) => void };

/** Writing is the form of a reply, or of a comment that is changed. */
function Writing({ label, save = label, draft, initial, send, onClose }: WritingProps) {
  const [body, setBody, done] = useDraft(draft, initial);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  function close(sent: boolean) {
    done();
    onClose(sent);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!body.trim()) return setProblem("Write something.");
    if (body === initial) return close(false);
    setBusy(true);
    const { error } = await send(body);
    setBusy(false);
    if (error) setProblem(messageOf(error));
    else close(true);
  }

  return (
    <form className={css["form"]} noValidate onSubmit={(event) => void submit(event)} onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && close(false)}>
      <TextArea bare label={label} rows={2} maxLength={5000} autoFocus value={body} onText={setBody} problem={problem} />
      <div className={css["row"]}>
        <Button type="submit" look="strong" busy={busy}>
          {save}
        </Button>
        <Button look="quiet" onClick={() => close(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
