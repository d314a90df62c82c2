import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { openSocket } from "./socket";

/** Line is a connection whose server is the test. */
class Line {
  static all: Line[] = [];
  sent: { type: string; id?: string; payload?: unknown }[] = [];
  closed = false;
  onopen = () => {};
  onclose = () => {};
  onmessage = (_: { data: string }) => {};

  constructor(readonly url: string, readonly protocol: string) {
    Line.all.push(this);
  }
  send = (text: string) => void this.sent.push(JSON.parse(text));
  close = () => void (this.closed = true);
  says = (message: object) => this.onmessage({ data: JSON.stringify(message) });
  open() {
    this.onopen();
    this.says({ type: "connection_ack" });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  Line.all = [];
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("WebSocket", Line);
  vi.stubGlobal("addEventListener", () => undefined);
});
afterEach(() => void (vi.useRealTimers(), vi.unstubAllGlobals()));

const sink = () => ({ next: vi.fn(), error: vi.fn(), complete: vi.fn() });

test("streams begin when the server is ready, and end one by one", () => {
  const socket = openSocket("wss://here/graphql");
  expect(Line.all).toEqual([]);
  const [a, b] = [sink(), sink()];
  const leave = socket.subscribe({ query: "a" }, a);
  const [line] = Line.all as [Line];
  expect([line.url, line.protocol]).toEqual(["wss://here/graphql", "graphql-transport-ws"]);
  line.open();
  const leaveB = socket.subscribe({ query: "b" }, b);
  expect(line.sent).toEqual([{ type: "connection_init" }, { type: "subscribe", id: "1", payload: { query: "a" } }, { type: "subscribe", id: "2", payload: { query: "b" } }]);

  line.says({ type: "next", id: "2", payload: { data: 7 } });
  expect(b.next).toHaveBeenCalledWith({ data: 7 });
  expect(a.next).not.toHaveBeenCalled();
  line.says({ type: "ping" });
  expect(line.sent.at(-1)).toEqual({ type: "pong" });
  line.says({ type: "error", id: "2", payload: [{ message: "no" }] });
  expect(b.error).toHaveBeenCalledWith([{ message: "no" }]);
  leaveB();
  expect(line.closed).toBe(false);
  leave();
  expect(line.closed).toBe(true);
});

test("after a lost connection every stream begins anew", () => {
  const socket = openSocket("wss://here/graphql");
  socket.subscribe({ query: "a" }, sink());
  Line.all[0]!.open();
  for (let i = 0; i < 20; i++) {
    Line.all.at(-1)!.onclose();
    vi.advanceTimersByTime(18_750);
  }
  expect(Line.all).toHaveLength(21);
  Line.all.at(-1)!.open();
  expect(Line.all.at(-1)!.sent.at(-1)).toMatchObject({ type: "subscribe", id: "1" });
  Line.all[0]!.onclose(); // of an old connection
  vi.advanceTimersByTime(60_000 / 4);
  expect(Line.all).toHaveLength(21);
});

test("a server that no longer answers is noticed", () => {
  const socket = openSocket("wss://here/graphql");
  socket.subscribe({ query: "a" }, sink());
  const [line] = Line.all as [Line];
  line.open();
  vi.advanceTimersByTime(20_000);
  expect(line.sent.at(-1)).toEqual({ type: "ping" });
  line.says({ type: "pong" });
  vi.advanceTimersByTime(39_000);
  expect(line.closed).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(line.closed).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(Line.all).toHaveLength(2);
});
