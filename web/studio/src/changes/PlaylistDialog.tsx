import { useMemo, useState } from "react";
import { useClient, useQuery } from "urql";

import { SidebarDocument } from "../app/made/graphql";
import { count } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Checkbox } from "../ui/Checkbox";
import { TagBox, type Choice } from "../ui/TagBox";
import { fail, inBulk } from "./bulk";
import { AddToPlaylistDocument, CreatePlaylistDocument, RemoveFromPlaylistDocument } from "./made/graphql";
import { inParts } from "./parts";
import type { Video } from "../library/rows";

type Props = {
  videos: readonly Video[];
  /** The playlist that the list shows, from which videos can be moved. */
  from: string | null;
  onClose: () => void;
  onRemoved: (ids: string[], playlistId: string) => void;
};

/** PlaylistDialog adds videos to playlists, moves them, and removes them. It shows the playlists that all of them are in. */
export function PlaylistDialog({ videos: given, from, onClose, onRemoved }: Props) {
  const client = useClient();
  const [videos] = useState(given); // those that are moved away leave the list
  const [changes, setChanges] = useState<Record<string, boolean>>({});
  const [moves, setMoves] = useState(false);
  const [{ data }] = useQuery({ query: SidebarDocument, requestPolicy: "cache-first" });
  const all = useMemo(() => [...(data?.org.nodes ?? []), ...(data?.personal.nodes ?? [])], [data]);

  const ids = videos.map((video) => video.id);
  const shared = all.filter(({ id }) => changes[id] ?? videos.every((video) => video.playlistIds.includes(id)));
  const source = all.find((playlist) => playlist.id === from);

  async function add({ id, name }: Choice) {
    const moving = moves && source && source.id !== id ? source : null;
    const added = await inBulk(ids, (videos) => `${videos} ${moving ? "moved" : "added"} to “${name}”`, (videoIds) => client.mutation(AddToPlaylistDocument, { playlistId: id, videoIds }).toPromise());
    if (added.length === ids.length) setChanges((now) => ({ ...now, [id]: true }));
    if (!moving) return;
    for (const videoIds of inParts(added)) {
      const { error } = await client.mutation(RemoveFromPlaylistDocument, { playlistId: moving.id, videoIds }).toPromise();
      if (error) return fail(error);
    }
    setChanges((now) => ({ ...now, [moving.id]: false }));
    onRemoved(added, moving.id);
  }

  async function remove({ id, name }: Choice) {
    const removed = await inBulk(ids, (videos) => `${videos} removed from “${name}”`, (videoIds) => client.mutation(RemoveFromPlaylistDocument, { playlistId: id, videoIds }).toPromise());
    if (removed.length === ids.length) setChanges((now) => ({ ...now, [id]: false }));
    onRemoved(removed, id);
  }

  async function create(name: string) {
    const { data, error } = await client.mutation(CreatePlaylistDocument, { input: { name, visibility: "ORG" } }).toPromise();
    if (error) fail(error);
    else await add(data!.createPlaylist.playlist);
  }

  return (
    <Dialog title="Playlists" onClose={onClose} actions={<Button look="strong" onClick={onClose}>Done</Button>}>
      {videos.length > 1 && <p>Playlists that all {count(videos.length, "video")} are in.</p>}
      <TagBox label="Playlists" placeholder="Find or create a playlist" choices={all} picked={shared} onAdd={(playlist) => void add(playlist)} onRemove={(playlist) => void remove(playlist)} onCreate={(name) => void create(name)} />
      {source && <Checkbox label={`Take them out of “${source.name}”`} hint="Moves them to the playlist that you choose." checked={moves} onCheck={setMoves} />}
    </Dialog>
  );
}
