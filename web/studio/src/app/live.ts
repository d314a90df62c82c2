// What others change in the workspace, in other tabs too, and what programs change through the API.

import { useEffect } from "react";
import { useClient } from "urql";

import { refresh } from "../graph/exchanges";
import { WorkspaceUpdatedDocument, type WorkspaceUpdatedSubscription } from "./made/graphql";
import { videosChanged, videosGone, videosMissed } from "./videos";

export type Update = WorkspaceUpdatedSubscription["workspaceUpdated"];

const listeners = new Set<(update: Update) => void>();

/** onUpdate calls back with the ids that changed or went. It returns how to end that. */
export function onUpdate(listener: (update: Update) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const isEmpty = ({ videos, playlists, tags, members, sources, exports, comments }: Update) =>
  [videos, playlists, tags, members, sources, exports, comments].every(({ changed, gone }) => !changed.length && !gone.length);

/** useLive keeps what is shown up to date while the person is signed in. Lists of tags and playlists: graph/updates.ts. */
export function useLive(): void {
  const client = useClient();

  useEffect(
    () =>
      client.subscription(WorkspaceUpdatedDocument, {}).subscribe(({ data }) => {
        if (!data) return;
        const update = data.workspaceUpdated;
        const { videos, members } = update;

        if (isEmpty(update)) {
          // A stream has begun, also after a lost connection. What was read before may be old.
          videosMissed();
          refresh();
        }
        if (videos.gone.length) videosGone(videos.gone);
        if (videos.changed.length) videosChanged(videos.changed);
        if (members.changed.length) refresh(); // the person's own rights may be others now
        for (const listener of [...listeners]) listener(update);
      }).unsubscribe,
    [client],
  );
}
