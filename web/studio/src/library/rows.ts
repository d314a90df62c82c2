import { useMemo, useSyncExternalStore } from "react";
import { useClient, type Client, type CombinedError } from "urql";

import { onVideos } from "../app/videos";
import { inParts } from "../changes/parts";
import { conditionsOf, sorts, type Filter } from "./filter";
import { ChangedVideosDocument, SearchDocument, VideosDocument, type VideoCardFragment } from "./made/graphql";
import { Walk, type Read, type Reader, type Seen } from "./walk";

export type Video = VideoCardFragment;

/** Row is a video in the list, and where a search found it. */
export type Row = { id: string; video: Video; spoken?: { snippet: string; atMs: number } };

/** The first page fills a large window, and its answer is small. */
const first = (after: string | null) => (after ? 60 : 30);

type Answer<D> = { data?: D | undefined; error?: CombinedError | undefined; stale: boolean };

function read<D>({ data, error, stale }: Answer<D>, onRead: (read: Read<Row>) => void, of: (data: D) => { items: Row[]; end: string | null; more: boolean }) {
  if (error) onRead({ error });
  else if (data) onRead({ ...of(data), stale });
}

const page = ({ endCursor, hasNextPage }: { endCursor?: string | null | undefined; hasNextPage: boolean }) => ({ end: endCursor ?? null, more: hasNextPage });

/** readerOf reads the pages of a filter. Behind the first page a walk never changes, so those come from the cache. */
function readerOf(client: Client, { text, ...rest }: Filter): Reader<Row> {
  const filter = conditionsOf(rest, Date.now());

  return (after, fresh, onRead) => {
    const requestPolicy = fresh ? "network-only" : after ? "cache-first" : "cache-and-network";
    if (text.trim()) {
      const variables = { query: text.trim(), first: first(after), after, filter };
      return client.query(SearchDocument, variables, { requestPolicy }).subscribe((answer) =>
        read(answer, onRead, ({ searchVideos }) => ({
          items: searchVideos.nodes.map(({ video, snippet, startSeconds }) => ({
            id: video.id, video, ...(typeof startSeconds === "number" && { spoken: { snippet, atMs: startSeconds * 1000 } }),
          })),
          ...page(searchVideos.pageInfo),
        })),
      ).unsubscribe;
    }

    const variables = { first: first(after), after, filter, sort: sorts[rest.sort].sort };
    return client.query(VideosDocument, variables, { requestPolicy }).subscribe((answer) =>
      read(answer, onRead, ({ videos }) => ({ items: videos.nodes.map((video) => ({ id: video.id, video })), ...page(videos.pageInfo) })),
    ).unsubscribe;
  };
}

/** reread brings the newest values of videos into the cache, and thereby to everything that shows them. */
async function reread(client: Client, ids: string[]): Promise<void> {
  for (const part of inParts(ids)) {
    const { data } = await client.query(ChangedVideosDocument, { ids: part }, { requestPolicy: "network-only" }).toPromise();
    if (data) last?.walk.settle(part, data.nodes.flatMap((node) => node?.id ?? []));
  }
}

/** The walk that was shown last, for the way back from a video. */
let last: { key: string; client: Client; walk: Walk<Row> } | null = null;

onVideos({
  made: () => last?.walk.outdate(),
  changed: (ids) => last?.walk.changed(ids),
  gone: (ids) => last?.walk.hide(ids),
  back: (ids) => last?.walk.unhide(ids),
  missed: () => last?.walk.missed(),
});

/** useWalk walks the videos of a filter. */
export function useWalk(filter: Filter): [Walk<Row>, Seen<Row>] {
  const client = useClient();
  const key = JSON.stringify(filter);
  const walk = useMemo(() => {
    if (last?.key !== key || last.client !== client) last = { key, client, walk: new Walk<Row>(readerOf(client, JSON.parse(key) as Filter), (ids) => void reread(client, ids)) };
    return last.walk;
  }, [client, key]);
  return [walk, useSyncExternalStore(walk.subscribe, walk.seen)];
}
