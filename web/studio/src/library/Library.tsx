import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "urql";
import { useLocation, useSearch } from "wouter";

import { Screen } from "../app/Screen";
import { loaded } from "../app/upgrade";
import { mayCreate, useViewer } from "../app/viewer";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import type { Item } from "../ui/Menu";
import { Empty, ErrorNote, Loading } from "../ui/Notes";
import { BulkBar } from "./BulkBar";
import { addressOf, filterOf, isNarrow } from "./filter";
import { Filters } from "./Filters";
import { between } from "./grid";
import css from "./Library.module.css";
import { useWalk, type Row, type Video } from "./rows";
import { SearchBox } from "./SearchBox";
import { UploadButton } from "./UploadButton";
import { VideoGrid } from "./VideoGrid";

// What changes videos is loaded when it is first used.
const changes = () => loaded(import("../changes/changes"));
const RenameDialog = lazy(async () => ({ default: (await changes()).RenameDialog }));
const TagDialog = lazy(async () => ({ default: (await changes()).TagDialog }));
const PlaylistDialog = lazy(async () => ({ default: (await changes()).PlaylistDialog }));

const Demo = lazy(() => loaded(import("../demo/Demo")));
const Trash = lazy(() => loaded(import("../trash/Trash")));

type Open = { what: "rename"; video: Video } | { what: "tags" | "playlists"; ids: string[] } | { what: "record" };

/** Library is the list of videos, or the trash. */
export default function Library() {
  return new URLSearchParams(useSearch()).get("view") === "trash" ? (
    <Suspense fallback={<Loading />}>
      <Trash />
    </Suspense>
  ) : (
    <Videos />
  );
}

function Videos() {
  const client = useClient();
  const viewer = useViewer();
  const edits = mayCreate(viewer);
  const [, go] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => filterOf(search), [search]);
  const [walk, seen] = useWalk(filter);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<Open | null>(null);
  const [filling, setFilling] = useState(false); // with demo videos
  const lastPicked = useRef<string | null>(null);

  const clear = useCallback(() => setSelected(new Set()), []);
  const close = useCallback(() => setOpen(null), []);
  useEffect(clear, [walk, clear]);

  const onSelect = useCallback(
    (id: string, range: boolean) => {
      const shown = walk.seen().items.map((row) => row.id);
      const ids = range && lastPicked.current ? between(shown, lastPicked.current, id) : [id];
      setSelected((now) => {
        const next = new Set(now);
        for (const one of ids) if (range || !now.has(id)) next.add(one);
        else next.delete(one);
        return next;
      });
      lastPicked.current = id;
    },
    [walk],
  );

  const discard = useCallback(
    async (ids: string[]) => {
      setSelected((now) => new Set([...now].filter((id) => !ids.includes(id))));
      await (await changes()).trashVideos(client, ids);
    },
    [client],
  );

  const duplicate = useCallback(async (id: string) => (await changes()).duplicateVideo(client, id), [client]);

  const itemsFor = useCallback(
    ({ video }: Row): Item[] => [
      { label: "Open", icon: "film", to: `/videos/${video.id}` },
      { label: "Open the viewers’ page", icon: "globe", onPick: () => void window.open(video.links.viewPage, "_blank", "noopener") },
      ...(edits
        ? ([
            "line",
            { label: "Rename", icon: "edit", onPick: () => setOpen({ what: "rename", video }) },
            { label: "Tags", icon: "tag", onPick: () => setOpen({ what: "tags", ids: [video.id] }) },
            { label: "Playlists", icon: "playlist", onPick: () => setOpen({ what: "playlists", ids: [video.id] }) },
            { label: "Duplicate", icon: "plus", onPick: () => void duplicate(video.id) },
            "line",
            { label: "Delete", icon: "trash", danger: true, onPick: () => void discard([video.id]) },
          ] satisfies Item[])
        : []),
    ],
    [edits, duplicate, discard],
  );

  const onLook = useCallback((from: number, to: number) => walk.look(from, to), [walk]);
  const onText = useCallback((text: string) => go(addressOf({ ...filter, text }), { replace: true }), [go, filter]);

  // What others made appears by itself where nothing would move away from under the pointer.
  useEffect(() => {
    if (seen.outdated && scrollY < 120 && !selected.size) walk.restart();
  }, [seen.outdated, selected.size, walk]);

  const videosOf = (ids: readonly string[]) => seen.items.filter((row) => ids.includes(row.id)).map((row) => row.video);
  const nothing = !seen.waiting && !seen.items.length && !seen.more && !seen.error;
  const fresh = nothing && !isNarrow(filter);

  return (
    <Screen
      title="Videos"
      actions={
        <>
          <SearchBox text={filter.text} onText={onText} />
          {edits && (
            <Button icon="record" onClick={() => setOpen({ what: "record" })}>
              Record
            </Button>
          )}
          {edits && !fresh && <UploadButton playlistId={filter.playlistId} />}
        </>
      }
    >
      {!fresh && <Filters filter={filter} onFilter={(next) => go(addressOf(next))} />}
      {seen.outdated && (
        <div className={css["newer"]}>
          <Button
            look="strong"
            onClick={() => {
              scrollTo({ top: 0 });
              walk.restart();
            }}
          >
            Show what is new
          </Button>
        </div>
      )}
      {filling && !fresh && (
        <Suspense>
          <Demo onFilling={setFilling} />
        </Suspense>
      )}
      {fresh ? (
        <Empty
          icon="film"
          title="Your videos will be here"
          actions={
            edits && (
              <>
                <UploadButton playlistId={null} />
                {viewer.role === "OWNER" && (
                  <Suspense>
                    <Demo onFilling={setFilling} />
                  </Suspense>
                )}
              </>
            )
          }
        >
          {edits ? "Upload your first video: choose files, or drop them anywhere on this page." : "Nobody has shared a video with this workspace yet."}
        </Empty>
      ) : nothing ? (
        <Empty icon="search" title="No video matches" actions={<Button onClick={() => go("/")}>Show all videos</Button>}>
          Try other words, or fewer filters.
        </Empty>
      ) : (
        (!seen.error || seen.items.length > 0) && <VideoGrid label="Videos" seen={seen} onLook={onLook} selected={selected} onSelect={onSelect} itemsFor={itemsFor} />
      )}
      {seen.error && <ErrorNote error={seen.error} onRetry={() => walk.retry()} />}
      {selected.size > 0 && (
        <BulkBar
          selected={selected.size}
          edits={edits}
          onClear={clear}
          onTags={() => setOpen({ what: "tags", ids: [...selected] })}
          onPlaylists={() => setOpen({ what: "playlists", ids: [...selected] })}
          onDelete={() => void discard([...selected])}
        />
      )}
      <Suspense>
        {open?.what === "rename" && <RenameDialog video={open.video} onClose={close} />}
        {open?.what === "tags" && <TagDialog videos={videosOf(open.ids)} onClose={close} />}
        {open?.what === "playlists" && (
          <PlaylistDialog videos={videosOf(open.ids)} from={filter.playlistId} onClose={close} onRemoved={(ids, playlistId) => playlistId === filter.playlistId && walk.hide(ids)} />
        )}
      </Suspense>
      {open?.what === "record" && (
        <Dialog title="Record" light onClose={close}>
          <p>Recording in the browser comes with a later version. Until then, record with a program of your choice, and upload the file here.</p>
        </Dialog>
      )}
    </Screen>
  );
}
