import { CombinedError } from "urql";
import { expect, test, vi } from "vitest";

import { Walk, type Read } from "./walk";

type Item = { id: string; name?: string };

/** A list of a server in pages of three. Pages answer when asked to. */
function server(count: number) {
  let all: Item[] = Array.from({ length: count }, (_, i) => ({ id: `v${i}` }));
  const open = new Map<string | null, (read: Read<Item>) => void>();
  const asked: (string | null)[] = [];

  const page = (after: string | null): Read<Item> => {
    const start = after === null ? 0 : all.findIndex((item) => item.id === after) + 1;
    const items = all.slice(start, start + 3);
    return { items, end: items.at(-1)?.id ?? null, more: start + 3 < all.length };
  };

  return {
    open,
    asked,
    read: (after: string | null, _fresh: boolean, onRead: (read: Read<Item>) => void) => {
      asked.push(after);
      open.set(after, onRead);
      return () => void open.delete(after);
    },
    answer: (after: string | null) => open.get(after)!(page(after)),
    fail: (after: string | null) => open.get(after)!({ error: new CombinedError({ networkError: new Error("offline") }) }),
    replace: (next: Item[]) => void (all = next),
  };
}

const ids = (walk: Walk<Item>) => walk.seen().items.map((item) => item.id);

test("pages are read when they come near, and far ones are closed", () => {
  const list = server(30);
  const walk = new Walk<Item>(list.read);
  walk.subscribe(() => undefined);
  expect(walk.seen().waiting).toBe(true);
  list.answer(null);
  expect(walk.seen()).toMatchObject({ waiting: false, more: true });
  list.answer("v2");
  expect(ids(walk)).toHaveLength(6);
  expect(list.asked).toEqual([null, "v2"]);

  for (let i = 0; i < 20; i++) {
    const { items } = walk.seen();
    walk.look(items.length - 3, items.length - 1);
    const last = items.at(-1)!.id;
    if (list.open.has(last)) list.answer(last);
  }
  expect(ids(walk)).toEqual(Array.from({ length: 30 }, (_, i) => `v${i}`));
  expect(walk.seen().more).toBe(false);
  expect([...list.open.keys()].sort()).toEqual(["v23", "v26"]);

  walk.look(0, 2);
  expect([...list.open.keys()].sort()).toEqual(["v2", null].sort());
});

test("a changed page changes its items, and nothing is asked again", () => {
  const list = server(4);
  const walk = new Walk<Item>(list.read);
  const listener = vi.fn();
  walk.subscribe(listener);
  list.answer(null);
  list.answer("v2");
  const before = list.asked.length;
  list.open.get(null)!({ items: [{ id: "v0", name: "new" }, { id: "v1" }, { id: "v2" }], end: "v2", more: true });
  expect(walk.seen().items[0]).toEqual({ id: "v0", name: "new" });
  expect(list.asked).toHaveLength(before);
  expect(listener).toHaveBeenCalled();
  expect(walk.seen()).toBe(walk.seen());
});

test("hidden items are left out until they are shown again, where they were", () => {
  const list = server(6);
  const walk = new Walk<Item>(list.read);
  walk.subscribe(() => undefined);
  list.answer(null);
  list.answer("v2");
  walk.hide(["v1", "v4"]);
  expect(ids(walk)).toEqual(["v0", "v2", "v3", "v5"]);
  walk.unhide(["v1"]);
  expect(ids(walk)).toEqual(["v0", "v1", "v2", "v3", "v5"]);
});

test("a whole page that is hidden brings the next one", () => {
  const list = server(12);
  const walk = new Walk<Item>(list.read);
  walk.subscribe(() => undefined);
  list.answer(null);
  list.answer("v2");
  expect(list.asked).toEqual([null, "v2"]);
  walk.hide(["v0", "v1", "v2"]);
  list.answer("v5");
  expect(ids(walk)).toEqual(["v3", "v4", "v5", "v6", "v7", "v8"]);
});

test("a restart keeps what is shown until the new first page is there", () => {
  const list = server(6);
  const walk = new Walk<Item>(list.read);
  walk.subscribe(() => undefined);
  list.answer(null);
  list.answer("v2");
  list.replace([{ id: "new" }, { id: "v0" }]);
  walk.restart();
  expect(ids(walk)).toHaveLength(6);
  list.answer(null);
  expect(ids(walk)).toEqual(["new", "v0"]);
  expect(walk.seen().more).toBe(false);
});

test("an error is told, and a retry goes on", () => {
  const list = server(6);
  const walk = new Walk<Item>(list.read);
  walk.subscribe(() => undefined);
  list.fail(null);
  expect(walk.seen()).toMatchObject({ waiting: true, error: { message: "[Network] offline" } });
  walk.retry();
  list.answer(null);
  expect(walk.seen().error).toBeNull();
  list.fail("v2");
  expect(walk.seen()).toMatchObject({ error: { message: "[Network] offline" }, more: true });
  walk.look(0, 2);
  expect(list.asked).toEqual([null, null, "v2"]);
  walk.retry();
  list.answer("v2");
  expect(ids(walk)).toHaveLength(6);
});

test("nothing stays open when nobody looks", () => {
  const list = server(6);
  const walk = new Walk<Item>(list.read);
  const leave = walk.subscribe(() => undefined);
  list.answer(null);
  list.answer("v2");
  leave();
  expect(list.open.size).toBe(0);
  walk.subscribe(() => undefined);
  expect(list.open.size).toBeGreaterThan(0);
  expect(ids(walk)).toHaveLength(6);
});

test("pages from the cache lead nowhere until the server has answered", () => {
  const list = server(6);
  const walk = new Walk<Item>(list.read);
  walk.subscribe(() => undefined);
  list.open.get(null)!({ items: [{ id: "old" }, { id: "v0" }], end: "v0", more: true, stale: true });
  expect(ids(walk)).toEqual(["old", "v0"]);
  expect(list.asked).toEqual([null]);
  list.answer(null);
  expect(ids(walk)).toEqual(["v0", "v1", "v2"]);
  expect(list.asked).toEqual([null, "v2"]);
});

test("a first page that others changed does not tear the walk", () => {
  const list = server(6);
  const walk = new Walk<Item>(list.read);
  walk.subscribe(() => undefined);
  list.answer(null);
  list.answer("v2");
  list.open.get(null)!({ items: [{ id: "new" }, { id: "v0", name: "renamed" }, { id: "v1" }], end: "v1", more: true });
  expect(ids(walk)).toEqual(["v0", "v1", "v2", "v3", "v4", "v5"]);
  expect(walk.seen().items[0]).toEqual({ id: "v0", name: "renamed" });
  expect(walk.seen().outdated).toBe(true);
  list.replace([{ id: "new" }, { id: "v0" }]);
  walk.restart();
  list.answer(null);
  expect(walk.seen().outdated).toBe(false);
  expect(ids(walk)).toEqual(["new", "v0"]);
});

test("what others change is read again where it is seen, and elsewhere when it comes near", () => {
  const list = server(30);
  const again: string[][] = [];
  const walk = new Walk<Item>(list.read, (ids) => again.push(ids));
  walk.subscribe(() => undefined);
  for (let i = 0; i < 9; i++) {
    const last = walk.seen().items.at(-1)?.id ?? null;
    list.answer(last);
    walk.look(walk.seen().items.length - 3, walk.seen().items.length - 1);
  }
  expect([...list.open.keys()]).not.toContain(null);

  walk.changed(["v25", "v1"]);
  expect(again).toEqual([["v25"]]);
  expect(walk.seen().outdated).toBe(false);

  walk.look(0, 2);
  expect(again).toEqual([["v25"], ["v1"]]);
  walk.look(3, 5);
  walk.look(0, 2);
  expect(again).toHaveLength(2);

  walk.changed(["other"]);
  expect(again).toHaveLength(2);
  expect(walk.seen().outdated).toBe(true);
});

test("a video that somebody restores is back, and one that is gone for good leaves", () => {
  const list = server(3);
  const again: string[][] = [];
  const walk = new Walk<Item>(list.read, (ids) => again.push(ids));
  walk.subscribe(() => undefined);
  list.answer(null);
  walk.hide(["v1"]);
  walk.changed(["v1", "v2"]);
  expect(again).toEqual([["v1", "v2"]]);
  expect(ids(walk)).toEqual(["v0", "v2"]);
  walk.settle(["v1", "v2"], ["v1"]);
  expect(ids(walk)).toEqual(["v0", "v1"]);
});

test("after a lost connection everything that is not open is old", () => {
  const list = server(12);
  const again: string[][] = [];
  const walk = new Walk<Item>(list.read, (ids) => again.push(ids));
  const leave = walk.subscribe(() => undefined);
  list.answer(null);
  list.answer("v2");
  walk.missed();
  expect(walk.seen().outdated).toBe(false);
  expect(again).toEqual([]);
  leave();
  walk.missed();
  expect(walk.seen().outdated).toBe(true);
  walk.subscribe(() => undefined);
  expect(again).toEqual([["v0", "v1", "v2", "v3", "v4", "v5"]]);
});
