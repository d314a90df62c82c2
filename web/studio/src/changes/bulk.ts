import type { OperationResult } from "urql";

import { messageOf } from "../graph/errors";
import { count } from "../text/format";
import { toast } from "../ui/toast";
import { inParts } from "./parts";

/** fail shows an error that belongs to no field. */
export const fail = (error: NonNullable<OperationResult["error"]>): void => void toast(messageOf(error), { problem: true });

/**
 * inBulk runs a mutation for as many videos at a time as it takes, and stops at the first error. It says how far it came,
 * and returns the ids that are done.
 */
export async function inBulk(ids: readonly string[], said: (videos: string) => string, run: (ids: string[]) => Promise<OperationResult>): Promise<string[]> {
  const done: string[] = [];
  for (const part of inParts(ids)) {
    const { error } = await run(part);
    if (error) {
      toast(done.length ? `${said(count(done.length, "video"))}. Then: ${messageOf(error)}` : messageOf(error), { problem: true });
      return done;
    }
    done.push(...part);
  }
  if (done.length) toast(said(count(done.length, "video")));
  return done;
}
