import { expect, test } from "vitest";

import { addressOf, everything, filterOf, isNarrow } from "./filter";

test("a filter and its address are the same", () => {
  for (const address of ["/", "/?q=caf%C3%A9+%26+co", "/?tag=tag_1&tag=tag_2", "/?q=a&tag=tag_1&playlist=pl_1"]) {
    expect(addressOf(filterOf(address.slice(1)))).toBe(address);
  }
  expect(filterOf("?q=caf%C3%A9")).toEqual({ ...everything, text: "café" });
  expect(addressOf({ ...everything, text: "  " })).toBe("/");
});

test("what leaves something out is narrow", () => {
  expect([everything, { ...everything, text: " " }, { ...everything, text: "x" }, { ...everything, tagIds: ["t"] }, { ...everything, playlistId: "p" }].map(isNarrow)).toEqual([
    false, false, true, true, true,
  ]);
});
