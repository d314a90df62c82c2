import { CombinedError, type OperationResult } from "urql";
import { expect, test } from "vitest";

import { save } from "./conflict";

type Values = { name: string; description: string };

/** A thing of a server, which refuses edits of anything but its newest revision. */
function thing(now: { revision: number; values: Values }) {
  const sent: number[] = [];
  return {
    now,
    sent,
    read: async () => structuredClone(now),
    send: async (changed: Partial<Values>, revision: number) => {
      sent.push(revision);
      if (revision !== now.revision) return { error: refusal("edit_conflict") } as OperationResult<string>;
      Object.assign(now.values, changed);
      now.revision++;
      return { data: "saved" } as OperationResult<string>;
    },
  };
}

const refusal = (code: string) => new CombinedError({ graphQLErrors: [{ message: code, extensions: { code } }] });
const base = { revision: 1, values: { name: "a", description: "b" } };

test("what nobody touched is saved", async () => {
  const server = thing(structuredClone(base));
  expect(await save({ base, changed: { name: "mine" }, ...server })).toEqual({ data: "saved" });
  expect(server.now).toEqual({ revision: 2, values: { name: "mine", description: "b" } });
});

test("others' changes of other fields stay", async () => {
  const server = thing({ revision: 7, values: { name: "a", description: "theirs" } });
  expect(await save({ base, changed: { name: "mine" }, ...server })).toEqual({ data: "saved" });
  expect(server.now.values).toEqual({ name: "mine", description: "theirs" });
  expect(server.sent).toEqual([1, 7]);
});

test("the same field changed by others is shown, not overwritten", async () => {
  const server = thing({ revision: 7, values: { name: "theirs", description: "b" } });
  expect(await save({ base, changed: { name: "mine" }, ...server })).toEqual({ theirs: { revision: 7, values: { name: "theirs", description: "b" } } });
  expect(server.sent).toEqual([1]);
});

test("the same value from others is no conflict", async () => {
  const server = thing({ revision: 7, values: { name: "mine", description: "b" } });
  expect(await save({ base, changed: { name: "mine" }, ...server })).toEqual({ data: "saved" });
});

test("other refusals are told", async () => {
  const error = refusal("forbidden");
  const send = async () => ({ error }) as OperationResult<string>;
  expect(await save({ base, changed: { name: "mine" }, send, read: async () => base })).toEqual({ error });
  const gone = async () => ({ error: refusal("edit_conflict") }) as OperationResult<string>;
  expect(await save({ base, changed: { name: "mine" }, send: gone, read: async () => null })).toMatchObject({ error: { message: expect.any(String) } });
});
