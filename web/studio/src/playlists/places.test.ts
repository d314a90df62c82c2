import { expect, test } from "vitest";

import { placeBefore, placed } from "./places";

const list = ["a", "b", "c", "d"].map((id, position) => ({ id, position }));
const [a, b, , d] = list as [(typeof list)[0], (typeof list)[0], (typeof list)[0], (typeof list)[0]];
const order = (of: typeof list) => of.map(({ id }) => id).join("");

test("the place in front of another is counted without the item itself", () => {
  expect(placeBefore(list, a, d)).toBe(2);
  expect(placeBefore(list, d, b)).toBe(1);
  expect(placeBefore(list, b, null)).toBe(3);
});

test("the list is in the order that the server makes of that place", () => {
  expect(order(placed(list, a, placeBefore(list, a, d)))).toBe("bcad");
  expect(order(placed(list, d, placeBefore(list, d, b)))).toBe("adbc");
  expect(order(placed(list, b, placeBefore(list, b, null)))).toBe("acdb");
  expect(placed(list, d, 0).map(({ position }) => position)).toEqual([0, 1, 2, 3]);
});
