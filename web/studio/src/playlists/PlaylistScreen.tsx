import { useEffect, useState } from "react";
import { useClient, useQuery } from "urql";
import { Link, useLocation, useParams } from "wouter";

import { Screen } from "../app/Screen";
import { mayCreate, useViewer } from "../app/viewer";
import { fail } from "../changes/bulk";
import { here } from "../graph/address";
import { usePages } from "../graph/pages";
import { clock, count } from "../text/format";
import { Button, ButtonLink } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { Menu } from "../ui/Menu";
import { More } from "../ui/More";
import { Empty, ErrorNote, Loading } from "../ui/Notes";
import { SortableList } from "../ui/SortableList";
import { toast } from "../ui/toast";
import { AddVideos } from "./AddVideos";
import { readSidebar, usePlaylistChanges } from "./changes";
import { AddVideosDocument, DeletePlaylistDocument, GroupRowsDocument, MoveVideoDocument, PlaylistNowDocument, PlaylistVideosDocument, RemoveVideosDocument, type PlaylistRowFragment, type PlaylistVideoFragment } from "./made/graphql";
import { PlaylistForm } from "./PlaylistForm";
import css from "./Playlists.module.css";
import { SharePlaylist } from "./SharePlaylist";

/** PlaylistScreen shows a playlist and its videos in their order. */
export default function PlaylistScreen() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, again] = useQuery({ query: PlaylistNowDocument, variables: { id } });

  if (data?.playlist) return <Shown key={id} playlist={data.playlist} onChanged={() => again({ requestPolicy: "network-only" })} />;
  if (error && !error.graphQLErrors.length) {
    return (
      <Screen title="Playlist" width="narrow">
        <ErrorNote error={error} onRetry={again} />
      </Screen>
    );
  }
  return (
    <Screen title={fetching ? "Playlist" : "Nothing here"} width="narrow">
      {fetching ? (
        <Loading />
      ) : (
        <Empty icon="playlist" title="There is no such playlist" actions={<ButtonLink to="/playlists">Go to the playlists</ButtonLink>}>
          It may have been deleted, or is not shared with you.
        </Empty>
      )}
    </Screen>
  );
}

function Shown({ playlist, onChanged }: { playlist: PlaylistRowFragment; onChanged: () => void }) {
  const client = useClient();
  const viewer = useViewer();
  const [, go] = useLocation();
  const { id } = playlist;
  const videos = usePages(id, PlaylistVideosDocument, { id }, (data) => data.playlist?.videos);
  const [{ data: groups }] = useQuery({ query: GroupRowsDocument, variables: { visibility: playlist.visibility } });
  const [asked, ask] = useState<"edit" | "share" | "add" | "delete" | null>(null);
  const may = mayCreate(viewer);
  const { reload } = videos;

  usePlaylistChanges((changed, gone) => {
    if (!changed.includes(id) && !gone.includes(id)) return;
    onChanged();
    void reload();
  });

  useEffect(() => {
    document.title = `${playlist.name} · Reelgraph`;
  }, [playlist.name]);

  async function move(video: PlaylistVideoFragment, before: PlaylistVideoFragment | null) {
    videos.change((nodes) => {
      const others = nodes.filter((node) => node.id !== video.id);
      const at = before ? others.findIndex((node) => node.id === before.id) : others.length;
      return [...others.slice(0, at), video, ...others.slice(at)];
    });
    // The end of what is shown is not the end of the list while there are more pages: the video goes behind the last one shown.
    const { error } = await client.mutation(MoveVideoDocument, { playlistId: id, videoId: video.id, ...(before && { before: before.id }) }).toPromise();
    if (error) fail(error);
    if (error || (!before && videos.hasMore)) await reload();
  }

  async function remove(video: PlaylistVideoFragment) {
    const next = videos.nodes[videos.nodes.findIndex((node) => node.id === video.id) + 1];
    videos.change((nodes) => nodes.filter((node) => node.id !== video.id));
    const { error } = await client.mutation(RemoveVideosDocument, { playlistId: id, videoIds: [video.id] }).toPromise();
    if (error) {
      fail(error);
      return reload();
    }
    toast(`“${video.name}” was taken out`, { action: { label: "Undo", run: () => void putBack(video, next) } });
  }

  async function putBack(video: PlaylistVideoFragment, before: PlaylistVideoFragment | undefined) {
    const { error } = await client.mutation(AddVideosDocument, { playlistId: id, videoIds: [video.id] }).toPromise();
    if (error) return fail(error);
    if (before) await client.mutation(MoveVideoDocument, { playlistId: id, videoId: video.id, before: before.id }).toPromise();
    await reload();
  }

  return (
    <Screen
      title={playlist.emoji ? `${playlist.emoji} ${playlist.name}` : playlist.name}
      width="narrow"
      about={`${count(playlist.videoCount, "video")}${playlist.description ? ` · ${playlist.description}` : ""}`}
      actions={
        may && (
          <>
            <Button icon="plus" onClick={() => ask("add")}>
              Add videos
            </Button>
            <Button look="strong" icon="link" onClick={() => ask("share")}>
              Share
            </Button>
            <Menu
              label="More"
              icon="more"
              compact
              items={() => [
                { label: "Edit", icon: "edit", note: "Name, emoji, description, group", onPick: () => ask("edit") },
                { label: "Show in the library", icon: "library", to: `/?playlist=${id}` },
                "line",
                { label: "Delete", icon: "trash", danger: true, onPick: () => ask("delete") },
              ]}
            />
          </>
        )
      }
    >
      <div>
        {videos.loaded && !videos.nodes.length ? (
          <Empty icon="film" title="This playlist is empty" actions={may && <Button onClick={() => ask("add")}>Choose videos</Button>}>
            Videos appear on its page in the order that you give them.
          </Empty>
        ) : (
          <SortableList label="Videos" items={videos.nodes} nameOf={(video) => video.name} movable={may && videos.nodes.length > 1} onMove={(video, before) => void move(video, before)}>
            {(video) => (
              <div className={css["row"]}>
                <Link href={`/videos/${video.id}`} className={css["link"]}>
                  <img src={here(video.thumbnails.small.jpg)} alt="" loading="lazy" decoding="async" draggable={false} className={css["picture"]} />
                  <span>
                    <bdi>{video.name}</bdi>
                    <small>
                      {clock(video.durationMs)} · {video.creator.name}
                    </small>
                  </span>
                </Link>
                {may && (
                  <Button icon="close" compact look="quiet" onClick={() => void remove(video)}>
                    Remove
                  </Button>
                )}
              </div>
            )}
          </SortableList>
        )}
        <More pages={videos} />
      </div>

      {asked === "share" && <SharePlaylist playlist={playlist} onClose={() => ask(null)} onSaved={onChanged} />}
      {asked === "edit" && (
        <PlaylistForm
          title="Edit"
          playlist={playlist}
          groups={groups?.playlistGroups.nodes ?? []}
          onClose={() => ask(null)}
          onSaved={() => {
            ask(null);
            onChanged();
          }}
        />
      )}
      {asked === "add" && (
        <AddVideos
          playlistId={id}
          onClose={() => ask(null)}
          onAdded={() => {
            ask(null);
            void reload();
          }}
        />
      )}
      {asked === "delete" && (
        <Confirm
          title="Delete"
          onClose={() => ask(null)}
          onConfirm={async () => {
            const { error } = await client.mutation(DeletePlaylistDocument, { id }).toPromise();
            if (error) return fail(error);
            readSidebar(client);
            toast(`“${playlist.name}” was deleted`);
            go("/playlists");
          }}
        >
          <p>
            “<bdi>{playlist.name}</bdi>” cannot be brought back. Its videos stay in the library.
          </p>
        </Confirm>
      )}
    </Screen>
  );
}
