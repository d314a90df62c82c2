import { useState } from "react";
import { useClient, useQuery } from "urql";
import { Link } from "wouter";

import { Screen } from "../app/Screen";
import { fail } from "../changes/bulk";
import { useEvents } from "../graph/events";
import { usePages } from "../graph/pages";
import { ago, clock, count } from "../text/format";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { More } from "../ui/More";
import { Empty } from "../ui/Notes";
import { Badge } from "../ui/Rows";
import css from "./Activity.module.css";
import { ActivityChangesDocument, ActivityPageDocument, MarkReadDocument, UnreadCountDocument, type ActivityItemFragment } from "./made/graphql";

/** Activity lists comments on the person's videos, and the first view of each. New ones appear as they come. */
export default function Activity() {
  const client = useClient();
  const items = usePages("", ActivityPageDocument, {}, (data) => data.activity);
  const [{ data }, countAgain] = useQuery({ query: UnreadCountDocument, requestPolicy: "network-only" });
  const [busy, setBusy] = useState(false);
  const unread = data?.activity.unreadCount ?? 0;

  function readAgain() {
    countAgain({ requestPolicy: "network-only" });
    void items.reload();
  }

  useEvents(ActivityChangesDocument, {}, ({ workspaceUpdated: { comments } }) => {
    if (comments.changed.length || comments.gone.length) readAgain();
  });

  async function markRead() {
    const newest = items.nodes[0]; // what came after it was not seen
    if (!newest) return;
    setBusy(true);
    const { error } = await client.mutation(MarkReadDocument, { input: { until: newest.at } }).toPromise();
    setBusy(false);
    if (error) fail(error);
    else readAgain();
  }

  return (
    <Screen
      title="Activity"
      width="narrow"
      about={data && <span role="status">{unread ? `${count(unread, "item")} unread` : "Nothing unread"}</span>}
      actions={
        unread > 0 && (
          <Button icon="check" busy={busy} onClick={() => void markRead()}>
            Mark all as read
          </Button>
        )
      }
    >
      <div>
        {items.loaded && !items.nodes.length ? (
          <Empty icon="activity" title="Nothing happened yet">
            Comments on your videos, and the first view of each, appear here.
          </Empty>
        ) : (
          items.nodes.length > 0 && (
            <ul aria-label="Activity" className={css["list"]}>
              {items.nodes.map((item) => (
                <Item key={`${item.video.id} ${item.comment?.id ?? "view"}`} item={item} />
              ))}
            </ul>
          )
        )}
        <More pages={items} />
      </div>
    </Screen>
  );
}

function Item({ item: { kind, at, unread, video, comment } }: { item: ActivityItemFragment }) {
  const to = `/videos/${video.id}${comment?.atSeconds ? `?t=${Math.floor(comment.atSeconds)}` : ""}`;
  return (
    <li>
      <Link href={to} className={css["item"]}>
        <Icon name={kind === "COMMENT" ? "comment" : "eye"} />
        <span className={css["text"]}>
          <span>
            {comment ? (
              <>
                <b>
                  <bdi>{comment.author}</bdi>
                </b>{" "}
                on <bdi>{video.name}</bdi>
                {comment.atSeconds ? ` at ${clock(comment.atSeconds * 1000)}` : ""}
              </>
            ) : (
              <>
                <bdi>{video.name}</bdi> was watched for the first time
              </>
            )}
          </span>
          {comment && <q className={css["body"]}>{comment.body}</q>}
          <small>{ago(at)}</small>
        </span>
        {unread && <Badge tone="good">New</Badge>}
      </Link>
    </li>
  );
}
