import type { OperationResult } from "urql";

import { codeOf } from "./errors";

/** What a form knows of the thing that it edits: its values, and the revision (or updatedAt) that they are of. */
export type Known<V, R> = { values: V; revision: R };

export type Outcome<V, R, D> =
  | { data: D }
  | { error: NonNullable<OperationResult["error"]> }
  /** Somebody else changed the same fields: these are their values. Sending again with them as base overwrites them. */
  | { theirs: Known<V, R> };

type Options<V, R, D> = {
  base: Known<V, R>;
  changed: Partial<V>;
  /** Sends the changed fields, to be refused if the revision is no longer the newest. */
  send: (changed: Partial<V>, revision: R) => Promise<OperationResult<D>>;
  /** Reads the thing anew. */
  read: () => Promise<Known<V, R> | null>;
};

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * save sends the changed fields of a form. If somebody edited the thing meanwhile, it reads it again, and sends once more
 * unless they changed the same fields to something else.
 */
export async function save<V extends object, R, D>({ base, changed, send, read }: Options<V, R, D>): Promise<Outcome<V, R, D>> {
  for (let { revision } = base; ; ) {
    const { data, error } = await send(changed, revision);
    if (!error) return { data: data! };
    if (codeOf(error) !== "edit_conflict") return { error };

    const now = await read();
    if (!now) return { error };

    const fields = Object.keys(changed) as (keyof V)[];
    if (fields.some((field) => !same(now.values[field], base.values[field]) && !same(now.values[field], changed[field]))) return { theirs: now };
    revision = now.revision;
  }
}
