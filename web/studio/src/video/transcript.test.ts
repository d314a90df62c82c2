import { expect, test } from "vitest";

import { placed, without } from "./chapters";
import { currentOf, pieces } from "./transcript";

test("a search marks what it finds", () => {
  expect(pieces("Add the coupon to a Coupon", "coupon")).toEqual([
    { text: "Add the ", found: false },
    { text: "coupon", found: true },
    { text: " to a ", found: false },
    { text: "Coupon", found: true },
  ]);
  expect(pieces("Add the coupon", "")).toEqual([{ text: "Add the coupon", found: false }]);
  expect(pieces("Add the coupon", "invoice")).toBeNull();
});

test("case, accents and the order of words do not matter", () => {
  expect(pieces("Crème brûlée", "BRU creme")).toEqual([
    { text: "Crème", found: true },
    { text: " ", found: false },
    { text: "brû", found: true },
    { text: "lée", found: false },
  ]);
  expect(pieces("only one of them", "one two")).toBeNull();
});

test("the current sentence is the last that began", () => {
  const sentences = [{ startSeconds: 1 }, { startSeconds: 2.5 }, { startSeconds: 9 }];
  expect([0, 1_000, 2_400, 2_500, 8_000, 60_000].map((ms) => currentOf(sentences, ms))).toEqual([-1, 0, 0, 1, 1, 2]);
  expect(currentOf([], 5)).toBe(-1);
});

test("chapters stay in order, one at a time", () => {
  const [a, b] = [{ title: "a", description: "", timestampSeconds: 1 }, { title: "b", description: "", timestampSeconds: 0.5 }];
  expect(placed([a], b)).toEqual([b, a]);
  expect(placed([a], { ...b, timestampSeconds: 1 })).toBeNull();
  expect(without([a, b], 1)).toEqual([b]);
});
