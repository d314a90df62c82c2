import { useEffect, useState } from "react";
import { useClient, useQuery } from "urql";

import { Screen } from "../app/Screen";
import { onVideos, videosGone } from "../app/videos";
import { restoreVideos } from "../changes/changes";
import { fail } from "../changes/bulk";
import { ago, clock, date } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Empty, ErrorNote, Loading } from "../ui/Notes";
import { toast } from "../ui/toast";
import { DeleteForeverDocument, TrashDocument, type TrashQuery } from "./made/graphql";
import css from "./Trash.module.css";

type Video = TrashQuery["trash"]["nodes"][number];

/** Trash lists the deleted videos, which can be restored for 30 days. */
export default function Trash() {
  const client = useClient();
  const [pages, setPages] = useState<(string | null)[]>([null]);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [asked, ask] = useState<Video | null>(null);
  const [busy, setBusy] = useState(false);

  const leave = (ids: readonly string[]) => setLeft((now) => new Set([...now, ...ids]));
  useEffect(() => onVideos({ back: leave }), []);

  async function remove(video: Video) {
    setBusy(true);
    const { error } = await client.mutation(DeleteForeverDocument, { id: video.id }).toPromise();
    setBusy(false);
    ask(null);
    if (error) return fail(error);
    leave([video.id]);
    videosGone([video.id]);
    toast(`“${video.name}” was deleted forever`);
  }

  return (
    <Screen title="Trash" width="narrow" about="Deleted videos stay here for 30 days.">
      <div>
        {pages.map((after, i) => (
          <Page
            key={after}
            after={after}
            left={left}
            alone={pages.length === 1}
            last={i === pages.length - 1}
            onMore={(end) => setPages([...pages, end])}
            onRestore={(id) => void restoreVideos(client, [id])}
            onDelete={ask}
          />
        ))}
      </div>
      {asked && (
        <Dialog
          title="Delete forever"
          onClose={() => ask(null)}
          actions={
            <>
              <Button onClick={() => ask(null)}>Cancel</Button>
              <Button look="danger" busy={busy} onClick={() => void remove(asked)}>
                Delete forever
              </Button>
            </>
          }
        >
          <p>
            “<bdi>{asked.name}</bdi>” and its recordings cannot be brought back.
          </p>
        </Dialog>
      )}
    </Screen>
  );
}

type PageProps = {
  after: string | null;
  left: ReadonlySet<string>;
  alone: boolean;
  last: boolean;
  onMore: (end: string) => void;
  onRestore: (id: string) => void;
  onDelete: (video: Video) => void;
};

function Page({ after, left, alone, last, onMore, onRestore, onDelete }: PageProps) {
  const [{ data, error, fetching }, again] = useQuery({ query: TrashDocument, variables: { after }, requestPolicy: "network-only" });
  if (error) return <ErrorNote error={error} onRetry={again} />;
  if (!data) return fetching ? <Loading /> : null;

  const { nodes, pageInfo } = data.trash;
  const videos = nodes.filter(({ id }) => !left.has(id));
  if (!videos.length && alone && !pageInfo.hasNextPage) return <Empty icon="trash" title="The trash is empty" />;

  return (
    <>
      <ul aria-label="Deleted videos" className={css["list"]}>
        {videos.map((video) => (
          <li key={video.id} className={css["row"]}>
            <div className={css["text"]}>
              <p className={css["name"]}>
                <bdi>{video.name}</bdi>
              </p>
              <p className={css["about"]}>
                {clock(video.durationMs)} · {video.creator.name} · deleted {ago(video.trashedAt!)}, gone on {date(video.purgedAt!)}
              </p>
            </div>
            <Button icon="undo" onClick={() => onRestore(video.id)}>
              Restore
            </Button>
            <Button look="danger" onClick={() => onDelete(video)}>
              Delete forever
            </Button>
          </li>
        ))}
      </ul>
      {last && pageInfo.hasNextPage && (
        <div className={css["more"]}>
          <Button onClick={() => onMore(pageInfo.endCursor!)}>Show more</Button>
        </div>
      )}
    </>
  );
}
