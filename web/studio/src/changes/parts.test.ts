import { expect, test } from "vitest";

import { inParts } from "./parts";

test("one mutation takes at most 100 videos", () => {
  const ids = Array.from({ length: 250 }, (_, i) => `v${i}`);
  expect(inParts(ids).map((part) => part.length)).toEqual([100, 100, 50]);
  expect(inParts(ids).flat()).toEqual(ids);
  expect(inParts([])).toEqual([]);
});
