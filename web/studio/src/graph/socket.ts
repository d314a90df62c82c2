// Subscriptions over a websocket, by the protocol graphql-transport-ws.

type Sink = { next: (answer: never) => void; error: (problem: unknown) => void; complete: () => void };
type Request = { query: string; variables?: unknown };

export type Socket = {
  /** Begins a stream. It begins anew after a lost connection, until what is returned is called. */
  subscribe: (request: Request, sink: Sink) => () => void;
  /** Connects anew. */
  terminate: () => void;
};

const quiet = 20_000; // after so long without a word the server is asked whether it is there
const longest = 15_000; // between two tries to connect

/** openSocket connects while there are streams. */
export function openSocket(url: string): Socket {
  const streams = new Map<string, [Request, Sink]>();
  let socket: WebSocket | null = null;
  let acknowledged = false;
  let tries = 0;
  let made = 0;
  let timer = 0;

  const send = (type: string, id?: string, payload?: unknown) => socket!.send(JSON.stringify({ type, id, payload }));

  function connect(): void {
    clearTimeout(timer);
    if (socket || !streams.size) return;
    const mine = (socket = new WebSocket(url, "graphql-transport-ws"));
    const listen = (again: () => void) => {
      clearTimeout(timer);
      timer = window.setTimeout(again, quiet);
    };
    const ask = () => {
      if (acknowledged) send("ping");
      listen(() => lost(mine));
    };
    listen(() => lost(mine));

    mine.onopen = () => send("connection_init");
    mine.onclose = () => lost(mine);
    mine.onmessage = ({ data }) => {
      if (socket !== mine) return;
      listen(ask);
      const { type, id, payload } = JSON.parse(data as string) as { type: string; id: string; payload: never };
      const sink = streams.get(id)?.[1];

      if (type === "ping") send("pong");
      else if (type === "connection_ack") {
        acknowledged = true;
        tries = 0;
        for (const [id, [request]] of streams) send("subscribe", id, request);
      } else if (type === "next") sink?.next(payload);
      else if (type === "error" || type === "complete") {
        streams.delete(id);
        if (type === "error") sink?.error(payload);
        else sink?.complete();
      }
    };
  }

  function lost(which: WebSocket | null): void {
    if (which !== socket) return;
    close();
    timer = window.setTimeout(connect, Math.min(longest, 500 * 2 ** tries++) * (0.75 + Math.random() / 2));
  }

  function close(): void {
    clearTimeout(timer);
    const old = socket;
    socket = null;
    acknowledged = false;
    old?.close();
  }

  addEventListener("online", connect);

  return {
    subscribe(request, sink) {
      const id = `${++made}`;
      streams.set(id, [request, sink]);
      if (acknowledged) send("subscribe", id, request);
      else if (!tries) connect(); // else it waits for the next try
      return () => {
        if (!streams.delete(id)) return;
        if (!streams.size) close();
        else if (acknowledged) send("complete", id);
      };
    },
    terminate() {
      close();
      connect();
    },
  };
}
