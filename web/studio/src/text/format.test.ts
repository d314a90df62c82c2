import { describe, expect, test } from "vitest";

import { ago, bytes, clock, count, date, spoken } from "./format";

describe("format", () => {
  test("lengths", () => {
    expect([0, 999, 7_000, 65_400, 3_723_000, -5].map(clock)).toEqual(["0:00", "0:00", "0:07", "1:05", "1:02:03", "0:00"]);
    expect([0, 1_000, 62_000, 3_600_000, 7_323_000].map(spoken)).toEqual([
      "0 seconds", "1 second", "1 minute 2 seconds", "1 hour", "2 hours 2 minutes 3 seconds",
    ]);
  });

  test("sizes", () => {
    expect([0, 940, 999, 1_000, 12_345, 999_499, 999_500, 3_440_000, 9_960_000, 5_368_709_120].map(bytes)).toEqual([
      "0 B", "940 B", "999 B", "1 KB", "12 KB", "999 KB", "1.0 MB", "3.4 MB", "10 MB", "5.4 GB",
    ]);
  });

  test("counts", () => {
    expect([count(1, "video"), count(0, "video"), count(1204, "video"), count(2, "reply", "replies")]).toEqual(["1 video", "0 videos", "1,204 videos", "2 replies"]);
  });

  test("times", () => {
    const now = Date.parse("2026-05-20T12:00:00.000Z");
    expect(ago("2026-05-20T11:59:30.000Z", now)).toBe("just now");
    expect(ago("2026-05-20T11:55:00.000Z", now)).toBe("5 minutes ago");
    expect(ago("2026-05-20T10:59:00.000Z", now)).toBe("1 hour ago");
    expect(ago("2026-05-19T11:00:00.000Z", now)).toBe("yesterday");
    expect(ago("2026-05-01T12:00:00.000Z", now)).toBe("May 1");
    expect(date("2025-05-01T12:00:00.000Z", now)).toBe("May 1, 2025");
  });
});
