import { expect, test } from "vitest";

import { due, isBusy, progress, recognized, summary, type State, type Upload } from "./queue";

const upload = (id: string, state: State, more: Partial<Upload> = {}): Upload => ({ id, name: `${id}.mp4`, size: 100, changed: 1, state, sent: 0, ...more });

test("three are sent at the same time, in their order", () => {
  const waiting = ["a", "b", "c", "d"].map((id) => upload(id, "waiting"));
  expect(due(waiting).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(due([upload("x", "sending"), upload("y", "paused"), ...waiting]).map(({ id }) => id)).toEqual(["a"]);
  expect(due([upload("x", "sending"), upload("y", "finishing"), upload("z", "sending"), ...waiting])).toEqual([]);
  expect(due([upload("x", "failed"), upload("y", "done"), upload("z", "lost"), ...waiting])).toHaveLength(3);
});

test("progress counts bytes", () => {
  expect(progress([])).toBe(0);
  expect(progress([upload("a", "done"), upload("b", "sending", { size: 300, sent: 100 }), upload("c", "failed", { size: 900 })])).toBe(0.5);
});

test("leaving interrupts what is not finished", () => {
  expect((["done", "failed", "lost"] as const).map((state) => isBusy([upload("a", state)]))).toEqual([false, false, false]);
  expect((["waiting", "sending", "paused", "finishing"] as const).map((state) => isBusy([upload("a", state)]))).toEqual([true, true, true, true]);
});

test("a file that is chosen again continues its upload", () => {
  const all = [upload("a", "lost"), upload("b", "lost", { name: "a.mp4", size: 7 }), upload("c", "sending")];
  const files = [
    { name: "a.mp4", size: 100, lastModified: 1 }, { name: "a.mp4", size: 100, lastModified: 1 }, { name: "a.mp4", size: 7, lastModified: 2 },
    { name: "c.mp4", size: 100, lastModified: 1 },
  ];
  const { pairs, others } = recognized(all, files);
  expect(pairs).toEqual([[all[0], files[0]]]);
  expect(others).toEqual([files[1], files[2], files[3]]);
});

test("one line says how it stands", () => {
  expect(summary([upload("a", "sending"), upload("b", "waiting"), upload("c", "done")])).toBe("Uploading 2 files");
  expect(summary([upload("a", "paused")])).toBe("Waiting for the connection");
  expect(summary([upload("a", "lost"), upload("b", "failed")])).toBe("1 file to continue");
  expect(summary([upload("a", "failed"), upload("b", "done")])).toBe("1 file failed");
  expect(summary([upload("a", "done"), upload("b", "done")])).toBe("2 files uploaded");
});
