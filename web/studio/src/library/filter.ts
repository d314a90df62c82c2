// What the list of videos shows is in the address, so that it can be linked to, and the way back leads there.

export type Filter = {
  text: string;
  tagIds: string[];
  playlistId: string | null;
};

export const everything: Filter = { text: "", tagIds: [], playlistId: null };

/** filterOf reads a filter from the query of an address. */
export function filterOf(search: string): Filter {
  const all = new URLSearchParams(search);
  return { text: (all.get("q") ?? "").slice(0, 200), tagIds: all.getAll("tag"), playlistId: all.get("playlist") };
}

/** addressOf is the address of the library with a filter. */
export function addressOf({ text, tagIds, playlistId }: Filter): string {
  const all = new URLSearchParams();
  if (text.trim()) all.set("q", text);
  for (const id of tagIds) all.append("tag", id);
  if (playlistId) all.set("playlist", playlistId);
  const query = all.toString();
  return query ? `/?${query}` : "/";
}

/** isNarrow reports whether a filter leaves anything out. */
export const isNarrow = ({ text, tagIds, playlistId }: Filter): boolean => !!text.trim() || tagIds.length > 0 || !!playlistId;
