import { expect, test } from "vitest";

import { daysOf, watched } from "./range";

test("the last days include today, in the time zone of the person", () => {
  const now = new Date("2026-03-01T03:30:00Z");
  expect(daysOf("7", "UTC", now)).toEqual({ startDate: "2026-02-23", endDate: "2026-03-01" });
  expect(daysOf("7", "America/New_York", now)).toEqual({ startDate: "2026-02-22", endDate: "2026-02-28" });
  expect(daysOf("365", "UTC", now)).toEqual({ startDate: "2025-03-02", endDate: "2026-03-01" });
  expect(daysOf("all", "UTC", now)).toEqual({});
});

test("watch time", () => {
  expect([0, 59.4, 60, 3599, 3600, 12_240].map(watched)).toEqual(["0 s", "59 s", "1 min", "60 min", "1 h", "3.4 h"]);
});
