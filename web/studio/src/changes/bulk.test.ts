import { CombinedError, type OperationResult } from "urql";
import { beforeEach, expect, test, vi } from "vitest";

import { inBulk } from "./bulk";

const toasts = vi.hoisted(() => [] as string[]);
vi.mock("../ui/toast", () => ({ toast: (text: string) => toasts.push(text) }));
beforeEach(() => void (toasts.length = 0));

const many = Array.from({ length: 250 }, (_, i) => `v${i}`);
const refused = { error: new CombinedError({ graphQLErrors: [{ message: "This is refused.", extensions: { code: "forbidden" } }] }) } as OperationResult;

test("as many at a time as one mutation takes", async () => {
  const sizes: number[] = [];
  const done = await inBulk(many, (videos) => `${videos} tagged`, async (part) => (sizes.push(part.length), {} as OperationResult));
  expect(done).toEqual(many);
  expect(sizes).toEqual([100, 100, 50]);
  expect(toasts).toEqual(["250 videos tagged"]);
});

test("it stops at the first refusal and says how far it came", async () => {
  let sent = 0;
  const done = await inBulk(many, (videos) => `${videos} tagged`, async () => (++sent === 2 ? refused : ({} as OperationResult)));
  expect([done.length, sent]).toEqual([100, 2]);
  expect(toasts).toEqual(["100 videos tagged. Then: This is refused."]);
});

test("nothing to do says nothing", async () => {
  expect(await inBulk([], () => "tagged", async () => refused)).toEqual([]);
  expect(toasts).toEqual([]);
});
