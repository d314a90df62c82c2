import { expect, test } from "vitest";

import { curveOf, daysOf, span } from "./curve";

test("a curve is as high as its largest point", () => {
  expect(curveOf([{ percent: 0, viewers: 4 }, { percent: 50, viewers: 3 }, { percent: 100, viewers: 0 }])).toEqual({
    line: "M0 0L50 25L100 100",
    area: "M0 0L50 25L100 100L100 100L0 100Z",
    most: 4,
  });
  expect(curveOf([{ percent: 0, viewers: 0 }, { percent: 100, viewers: 0 }])).toBeNull();
  expect(curveOf([])).toBeNull();
});

test("a range ends today and counts it", () => {
  expect(daysOf("7", new Date(2026, 2, 3, 23, 59))).toEqual({ startDate: "2026-02-25", endDate: "2026-03-03" });
  expect(daysOf("all", new Date())).toBeNull();
});

test("long times are short", () => {
  expect([0, 59.4, 59.6, 750, 3_599, 12_600].map(span)).toEqual(["0 s", "59 s", "1 min", "13 min", "1 h", "3.5 h"]);
});
