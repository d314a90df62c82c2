import type { Client } from "urql";

import { SidebarDocument } from "../app/made/graphql";
import { useEvents } from "../graph/events";
import { PlaylistChangesDocument, PlaylistNowDocument, type PlaylistRowFragment } from "./made/graphql";

/** readSidebar reads again what the navigation shows: a move changes the positions of others too. */
export const readSidebar = (client: Client): void => void client.query(SidebarDocument, {}, { requestPolicy: "network-only" }).toPromise();

export const readPlaylist = async (client: Client, id: string): Promise<PlaylistRowFragment | null> =>
  (await client.query(PlaylistNowDocument, { id }, { requestPolicy: "network-only" }).toPromise()).data?.playlist ?? null;

/** usePlaylistChanges calls back when playlists changed or went, through whomever. */
export function usePlaylistChanges(onChange: (changed: readonly string[], gone: readonly string[]) => void): void {
  useEvents(PlaylistChangesDocument, {}, ({ workspaceUpdated: { playlists } }) => {
    if (playlists.changed.length || playlists.gone.length) onChange(playlists.changed, playlists.gone);
  });
}
