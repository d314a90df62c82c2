import { createClient, type Client as Socket } from "graphql-ws";

import { refresh } from "./exchanges";

/** openSocket connects when the first subscription begins, and again whenever the connection is lost. */
export function openSocket(): Socket {
  let connectedBefore = false;

  return createClient({
    url: `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/graphql`,
    lazy: true,
    keepAlive: 20_000,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    on: {
      connected() {
        if (connectedBefore) refresh();
        connectedBefore = true;
      },
    },
  });
}
