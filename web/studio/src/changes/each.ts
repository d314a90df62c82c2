import type { OperationResult } from "urql";

import { messageOf } from "../graph/errors";
import { count } from "../text/format";
import { toast } from "../ui/toast";

/** fail shows an error that belongs to no field. */
export const fail = (error: NonNullable<OperationResult["error"]>): void => void toast(messageOf(error), { problem: true });

/**
 * each runs a mutation for one video after the other, and stops at the first error. It says how far it came, and returns
 * the ids that are done.
 */
export async function each(ids: readonly string[], said: (videos: string) => string, run: (id: string) => Promise<OperationResult>): Promise<string[]> {
  const done: string[] = [];
  for (const id of ids) {
    const { error } = await run(id);
    if (error) {
      toast(done.length ? `${said(count(done.length, "video"))}. Then: ${messageOf(error)}` : messageOf(error), { problem: true });
      return done;
    }
    done.push(id);
  }
  toast(said(count(done.length, "video")));
  return done;
}
