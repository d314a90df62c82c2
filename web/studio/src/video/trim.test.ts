import { expect, test } from "vitest";

import { bounded, trimmed, wholeOf, type Clip } from "./trim";

const clip = (id: string, lengthMs: number, ...cuts: [number, number][]): Clip => ({ id, lengthMs, cuts: cuts.map(([startTimeMs, durationMs]) => ({ startTimeMs, durationMs })) });

test("a video without cuts is whole", () => {
  expect(wholeOf([clip("a", 10_000)])).toEqual({ lengthMs: 10_000, startMs: 0, endMs: 10_000, latestStartMs: 9_900, earliestEndMs: 100 });
  expect(trimmed([clip("a", 10_000)], 0, 10_000)).toEqual([]);
});

test("trims are cuts at the ends, and other cuts are not", () => {
  expect(wholeOf([clip("a", 10_000, [0, 1_000], [4_000, 2_000], [9_500, 500])])).toMatchObject({ lengthMs: 8_000, startMs: 1_000, endMs: 7_500 });
  expect(wholeOf([clip("a", 10_000, [1, 1_000])])).toMatchObject({ startMs: 0, lengthMs: 9_000 });
});

test("moving both ends keeps the cuts between them", () => {
  // The position 5 s is 7 s of the recording, behind the cut of 2 s.
  expect(trimmed([clip("a", 10_000, [4_000, 2_000])], 1_000, 5_000)).toEqual([
    { id: "a", cuts: [{ startTimeMs: 0, durationMs: 1_000 }, { startTimeMs: 4_000, durationMs: 2_000 }, { startTimeMs: 7_000, durationMs: 3_000 }] },
  ]);
});

test("an end beyond a cut takes it in", () => {
  expect(trimmed([clip("a", 10_000, [4_000, 2_000])], 4_000, 8_000)).toEqual([{ id: "a", cuts: [{ startTimeMs: 0, durationMs: 6_000 }] }]);
  expect(trimmed([clip("a", 10_000, [4_000, 2_000])], 0, 4_000)).toEqual([{ id: "a", cuts: [{ startTimeMs: 4_000, durationMs: 6_000 }] }]);
});

test("the whole range clears both ends only", () => {
  const clips = [clip("a", 10_000, [0, 1_000], [4_000, 2_000], [9_500, 500])];
  expect(trimmed(clips, 0, 8_000)).toEqual([{ id: "a", cuts: [{ startTimeMs: 4_000, durationMs: 2_000 }] }]);
});

test("of several clips the first and the last change", () => {
  const clips = [clip("a", 5_000), clip("b", 3_000, [0, 1_000]), clip("c", 4_000)];
  expect(wholeOf(clips)).toEqual({ lengthMs: 11_000, startMs: 0, endMs: 11_000, latestStartMs: 4_900, earliestEndMs: 7_100 });
  expect(trimmed(clips, 500, 10_000)).toEqual([
    { id: "a", cuts: [{ startTimeMs: 0, durationMs: 500 }] },
    { id: "c", cuts: [{ startTimeMs: 3_000, durationMs: 1_000 }] },
  ]);
  expect(trimmed(clips, 500, 11_000)).toEqual([{ id: "a", cuts: [{ startTimeMs: 0, durationMs: 500 }] }]);
});

test("the ends neither cross nor leave their clips", () => {
  const whole = wholeOf([clip("a", 5_000), clip("b", 5_000)])!;
  expect([bounded(whole, "start", -5, 10_000), bounded(whole, "start", 9_000, 10_000)]).toEqual([0, 4_900]);
  expect([bounded(whole, "end", 20_000, 0), bounded(whole, "end", 2_000, 0)]).toEqual([10_000, 5_100]);
  const one = wholeOf([clip("a", 5_000)])!;
  expect([bounded(one, "start", 4_000, 3_000), bounded(one, "end", 1_000, 3_000)]).toEqual([2_900, 3_100]);
});

test("what is too short cannot be trimmed", () => {
  expect(wholeOf([clip("a", 150)])).toBeNull();
  expect(wholeOf([])).toBeNull();
});
