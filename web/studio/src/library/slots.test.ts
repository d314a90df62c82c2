import { expect, test } from "vitest";

import { Slots } from "./slots";

test("only some have their turn, in their order, and who leaves gives it away once", () => {
  const slots = new Slots(2);
  const turns: string[] = [];
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => slots.take(() => turns.push(name)));
  expect(turns).toEqual(["a", "b"]);
  c!();
  a!();
  expect(turns).toEqual(["a", "b", "d"]);
  a!();
  b!();
  d!();
  ["e", "f", "g"].forEach((name) => slots.take(() => turns.push(name)));
  expect(turns).toEqual(["a", "b", "d", "e", "f"]);
});
