type Group = { id: string; name: string; emoji?: string | null | undefined; position: number };
type Playlist = { id: string; groupId?: string | null | undefined; position: number };

/** tree puts playlists into their groups, both in the order of the sidebar. Those without a group come first. */
export function tree<G extends Group, P extends Playlist>(groups: readonly G[], playlists: readonly P[]): { group: G | null; playlists: P[] }[] {
  const inOrder = <T extends { position: number }>(list: readonly T[]) => [...list].sort((a, b) => a.position - b.position);
  const known = new Set(groups.map((group) => group.id));
  const alone = inOrder(playlists.filter((playlist) => !playlist.groupId || !known.has(playlist.groupId)));
  return [
    ...(alone.length ? [{ group: null, playlists: alone }] : []),
    ...inOrder(groups).map((group) => ({ group, playlists: inOrder(playlists.filter((playlist) => playlist.groupId === group.id)) })),
  ];
}
