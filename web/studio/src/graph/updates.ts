import type { UpdatesConfig } from "@urql/exchange-graphcache";
import type { Cache } from "@urql/exchange-graphcache";

/** again makes lists of the root stale, so that what shows them reads them again. */
function again(cache: Cache, ...fields: string[]): void {
  for (const { fieldName, arguments: args } of cache.inspectFields("Query")) {
    if (fields.includes(fieldName)) cache.invalidate("Query", fieldName, args);
  }
}

/** The payloads with a deletedId, and the type that it is of. */
const deletions: Record<string, string> = {
  deletePlaylist: "Playlist",
  deletePlaylistGroup: "PlaylistGroup",
  deleteTag: "Tag",
};

/** The mutations that change which items a list of the root has, and these lists. */
const lists: Record<string, string[]> = {
  createPlaylist: ["playlists"],
  createPlaylistGroup: ["playlistGroups"],
  createTag: ["tags"],
};

type Ids = { changed: string[]; gone: string[] };

/** What others changed: the kinds of ids in an update, their type, and the lists of the root that hold them. */
const kinds: Record<string, [type: string, list: string]> = { tags: ["Tag", "tags"], playlists: ["Playlist", "playlists"] };

/**
 * What the cache does after mutations, and when others change something, besides storing the objects in their answers. The
 * list of videos is not in here: it is a walk, see library/walk.ts.
 */
export const updates: UpdatesConfig = {
  Mutation: Object.fromEntries([
    ...Object.entries(deletions).map(([field, type]) => [
      field,
      (result: Record<string, unknown>, _: unknown, cache: Cache) => {
        const payload = result[field] as { deletedId?: string } | null;
        if (payload?.deletedId) cache.invalidate({ __typename: type, id: payload.deletedId });
      },
    ]),
    ...Object.entries(lists).map(([field, names]) => [field, (_result: unknown, _args: unknown, cache: Cache) => again(cache, ...names)]),
    [
      "removePlaylistVideos",
      ({ removePlaylistVideos }: Record<string, unknown>, _: unknown, cache: Cache) => {
        // The answer does not say which playlists the videos are still in.
        for (const id of (removePlaylistVideos as { deletedIds: string[] }).deletedIds) cache.invalidate({ __typename: "Video", id }, "playlistIds");
      },
    ],
  ]),
  Subscription: {
    workspaceUpdated({ workspaceUpdated }: Record<string, unknown>, _, cache) {
      for (const [kind, [type, list]] of Object.entries(kinds)) {
        const ids = (workspaceUpdated as Record<string, Ids | undefined>)[kind]; // a screen may listen to some kinds only
        ids?.gone.forEach((id) => cache.invalidate({ __typename: type, id }));
        if (ids?.changed.length || ids?.gone.length) again(cache, list);
      }
    },
  },
};
