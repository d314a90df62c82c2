import { expect, test } from "vitest";

import { moved, target } from "./order";

test("an item moves and the others keep their order", () => {
  expect(moved(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(moved(["a", "b", "c", "d"], 3, 0)).toEqual(["d", "a", "b", "c"]);
  expect(moved(["a", "b"], 0, 9)).toEqual(["b", "a"]);
  expect(moved(["a"], 0, 0)).toEqual(["a"]);
});

test("a dragged row passes another at its middle", () => {
  const rows = [0, 40, 80, 140].map((top, i) => ({ top, height: [40, 40, 60, 20][i]! }));
  expect([0, 39, 41, 91, 500].map((by) => target(rows, 0, by))).toEqual([0, 0, 1, 2, 3]);
  expect([0, -49, -51, -500].map((by) => target(rows, 2, by))).toEqual([2, 2, 1, 0]);
});
