import { expect, test } from "vitest";

import { addressOf, conditionsOf, everything, filterOf, isNarrow } from "./filter";

test("a filter and its address are the same", () => {
  for (const address of [
    "/", "/?q=caf%C3%A9+%26+co", "/?tag=tag_1&tag=tag_2", "/?q=a&tag=tag_1&playlist=pl_1", "/?by=usr_1&scope=private&days=30&sort=name",
  ]) {
    expect(addressOf(filterOf(address.slice(1)))).toBe(address);
  }
  expect(filterOf("?q=caf%C3%A9")).toEqual({ ...everything, text: "café" });
  expect(addressOf({ ...everything, text: "  " })).toBe("/");
});

test("what an address invents is left out", () => {
  expect(filterOf("?scope=secret&days=9&sort=size")).toEqual(everything);
});

test("what leaves something out is narrow, another order is not", () => {
  const narrow = [
    { text: "x" }, { tagIds: ["t"] }, { playlistId: "p" }, { creatorId: "u" }, { scope: "PRIVATE" as const }, { days: "7" as const },
  ];
  for (const part of narrow) expect(isNarrow({ ...everything, ...part })).toBe(true);
  for (const part of [{}, { text: " " }, { sort: "name" as const }]) expect(isNarrow({ ...everything, ...part })).toBe(false);
});

test("the graph is asked for the conditions that are there", () => {
  const now = Date.parse("2026-05-20T12:00:00.000Z");
  expect(conditionsOf(everything, now)).toEqual({});
  expect(conditionsOf({ ...everything, tagIds: ["t"], scope: "PASSWORD", days: "7" }, now)).toEqual({
    tagIds: ["t"], linkScope: "PASSWORD", createdAfter: "2026-05-13T12:00:00.000Z",
  });
});
