import { cacheExchange } from "@urql/exchange-graphcache";
import { Client, fetchExchange, subscriptionExchange } from "urql";

import { refreshExchange, sessionExchange } from "./exchanges";
import { keyless } from "./made/keyless";
import { openSocket } from "./socket";
import { updates } from "./updates";

const socket = openSocket(`${location.protocol.replace("http", "ws")}//${location.host}/graphql`);

/** reconnect opens the websocket anew: the session counts at its handshake. */
export const reconnect = (): void => socket.terminate();

// What scripts/first.mjs asked for while this script was loaded, by the words of the question.
type First = Map<unknown, Promise<Response | undefined>> & { late?: boolean };
const first = ((globalThis as { first?: First }).first ??= new Map() as First);
first.late = true;
setTimeout(() => first.clear(), 5_000);

const ask: typeof fetch = async (address, init) => {
  const early = first.get(init?.body);
  first.delete(init?.body);
  return (await early) ?? fetch(address, init);
};

export const client = new Client({
  url: "/graphql",
  preferGetMethod: false,
  fetch: ask,
  requestPolicy: "cache-and-network",
  fetchOptions: () => ({ headers: { Accept: "application/graphql-response+json, application/json" } }),
  exchanges: [
    refreshExchange,
    cacheExchange({
      // Only the warnings of the development build need them.
      ...(import.meta.env.DEV && { keys: Object.fromEntries(keyless.map((type) => [type, () => null])) }),
      updates,
    }),
    sessionExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query, variables }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query: query ?? "", variables }, sink) }),
      }),
    }),
  ],
});
