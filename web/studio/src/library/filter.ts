// What the list of videos shows is in the address, so that it can be linked to, and the way back leads there.

import type { LinkScope, VideoFilter, VideoSort } from "./made/graphql";

export const scopes = ["PUBLIC", "PRIVATE", "PASSWORD", "EMBEDONLY"] as const satisfies readonly LinkScope[];
export const spans = ["7", "30", "365"] as const; // days

export const scopeNames = { PUBLIC: "Anyone with the link", PRIVATE: "Members only", PASSWORD: "Password", EMBEDONLY: "Embeds only" } as const;
export const spanNames = { "7": "The last 7 days", "30": "The last 30 days", "365": "The last year" } as const;

export const sorts = {
  updated: { label: "Last edited", sort: { field: "UPDATED_AT", direction: "DESC" } },
  newest: { label: "Newest", sort: { field: "CREATED_AT", direction: "DESC" } },
  oldest: { label: "Oldest", sort: { field: "CREATED_AT", direction: "ASC" } },
  name: { label: "Name", sort: { field: "NAME", direction: "ASC" } },
  views: { label: "Most viewed", sort: { field: "VIEWS", direction: "DESC" } },
  longest: { label: "Longest", sort: { field: "DURATION", direction: "DESC" } },
  shortest: { label: "Shortest", sort: { field: "DURATION", direction: "ASC" } },
} as const satisfies Record<string, { label: string; sort: VideoSort }>;

export type Sort = keyof typeof sorts;

export type Filter = {
  text: string;
  tagIds: string[];
  playlistId: string | null;
  creatorId: string | null;
  scope: LinkScope | null;
  /** Made in the last so many days. */
  days: (typeof spans)[number] | null;
  sort: Sort;
};

export const everything: Filter = { text: "", tagIds: [], playlistId: null, creatorId: null, scope: null, days: null, sort: "updated" };

const oneOf = <V extends string>(value: string | null, values: readonly V[]): V | null => values.find((one) => one === value) ?? null;

/** filterOf reads a filter from the query of an address. What it does not know is left out. */
export function filterOf(search: string): Filter {
  const all = new URLSearchParams(search);
  return {
    text: (all.get("q") ?? "").slice(0, 200),
    tagIds: all.getAll("tag"),
    playlistId: all.get("playlist"),
    creatorId: all.get("by"),
    scope: oneOf(all.get("scope")?.toUpperCase() ?? null, scopes),
    days: oneOf(all.get("days"), spans),
    sort: oneOf(all.get("sort"), Object.keys(sorts) as Sort[]) ?? "updated",
  };
}

/** addressOf is the address of the library with a filter. */
export function addressOf({ text, tagIds, playlistId, creatorId, scope, days, sort }: Filter): string {
  const all = new URLSearchParams();
  if (text.trim()) all.set("q", text);
  for (const id of tagIds) all.append("tag", id);
  if (playlistId) all.set("playlist", playlistId);
  if (creatorId) all.set("by", creatorId);
  if (scope) all.set("scope", scope.toLowerCase());
  if (days) all.set("days", days);
  if (sort !== "updated") all.set("sort", sort);
  const query = all.toString();
  return query ? `/?${query}` : "/";
}

/** isNarrow reports whether a filter leaves anything out. */
export const isNarrow = ({ text, ...filter }: Filter): boolean => !!text.trim() || Object.keys(conditionsOf(filter, 0)).length > 0;

/** conditionsOf is what the graph is asked for, besides the text. */
export function conditionsOf({ tagIds, playlistId, creatorId, scope, days }: Omit<Filter, "text">, now: number): VideoFilter {
  return {
    ...(tagIds.length && { tagIds }),
    ...(playlistId && { playlistId }),
    ...(creatorId && { creatorId }),
    ...(scope && { linkScope: scope }),
    ...(days && { createdAfter: new Date(now - Number(days) * 86_400_000).toISOString() }),
  };
}
