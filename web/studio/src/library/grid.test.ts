import { expect, test } from "vitest";

import { between, gap, layoutOf, rowsIn } from "./grid";

test("columns fill the width", () => {
  for (const width of [200, 328, 491, 492, 760, 1100, 1400, 1680, 4000]) {
    const { columns, cell } = layoutOf(width);
    expect(columns * cell + (columns - 1) * gap).toBeCloseTo(width);
    if (width > 300) expect(cell).toBeGreaterThan(230);
  }
  expect([328, 491, 492, 1400, 4000].map((width) => layoutOf(width).columns)).toEqual([1, 1, 2, 5, 6]);
});

test("only rows near the window are drawn", () => {
  const layout = { columns: 4, cell: 300, row: 250 };
  expect(rowsIn(layout, 2500, 0, 900)).toEqual([0, 7]);
  expect(rowsIn(layout, 2500, 250_000, 250_900)).toEqual([997, 1007]);
  expect(rowsIn(layout, 3, 0, 900)).toEqual([0, 3]);
  expect(rowsIn(layout, 3, 9_000, 9_900)).toEqual([0, 3]);
  expect(rowsIn(layout, 100, -5_000, -4_000)).toEqual([0, 3]);
  expect(rowsIn(layout, 0, 0, 900)).toEqual([0, 0]);
});

test("a range is selected in the order of the list", () => {
  const ids = ["a", "b", "c", "d"];
  expect(between(ids, "b", "d")).toEqual(["b", "c", "d"]);
  expect(between(ids, "d", "b")).toEqual(["b", "c", "d"]);
  expect(between(ids, "gone", "b")).toEqual(["b"]);
});
