import { expect, test } from "vitest";

import { merged, threads } from "./threads";

const say = (id: string, replyToId?: string) => ({ id, replyToId: replyToId ?? null });

test("replies stand below what they answer", () => {
  const [a, b, c, d] = [say("a"), say("b"), say("c", "a"), say("d", "a")];
  expect(threads([a, b, c, d])).toEqual([{ comment: a, replies: [c, d] }, { comment: b, replies: [] }]);
  expect(threads([say("x", "elsewhere")])).toEqual([]);
});

test("events change, add and remove comments", () => {
  const known = [say("a"), say("b"), say("c", "a")];
  const changed = { ...say("b"), body: "new" };
  expect(merged(known, [changed, say("d")], [])).toEqual([say("a"), changed, say("c", "a"), say("d")]);
  expect(merged(known, [], ["a"])).toEqual([say("b")]);
});
