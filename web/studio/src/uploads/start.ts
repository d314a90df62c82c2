// Uploads are loaded with the first file, or when an earlier page left some unfinished.

import { useSyncExternalStore } from "react";

import { interrupts, loaded } from "../app/upgrade";
import type { Viewer } from "../app/viewer";
import { client } from "../graph/client";
import { count } from "../text/format";
import { toast } from "../ui/toast";
import type { Chosen } from "./files";
import { hint } from "./hint";
import type { Uploads } from "./Uploads";

let uploads: Uploads | null = null;
let opening: Promise<Uploads> | null = null;
const listeners = new Set<() => void>();

const ownerOf = ({ user, workspace }: Viewer) => `${user.id} ${workspace.id}`;

async function open(viewer: Viewer): Promise<Uploads> {
  const part = await loaded(import("./part"));
  const made = new part.Uploads(client, ownerOf(viewer));
  await made.restore();
  interrupts(() => (part.isBusy(made.now()) ? "uploads" : ""));
  uploads = made;
  for (const listener of [...listeners]) listener();
  return made;
}

/** openUploads returns the uploads of this tab. */
export const openUploads = (viewer: Viewer): Promise<Uploads> =>
  (opening ??= open(viewer).catch((error: unknown) => {
    opening = null;
    throw error;
  }));

/** upload sends files, and makes a video of each in a playlist or in none. */
export async function upload(viewer: Viewer, chosen: readonly Chosen[], playlistId: string | null): Promise<void> {
  if (!chosen.length) return;
  try {
    const refused = await (await openUploads(viewer)).add(chosen, playlistId);
    if (refused) toast(refused === chosen.length && refused === 1 ? `“${chosen[0]!.file.name}” is not a video` : `${count(refused, "file")} left out: not videos`, { problem: true });
  } catch {
    toast("The upload cannot begin. Check your connection and try again.", { problem: true });
  }
}

/** hasUnfinished reports whether an earlier page may have left uploads. */
export const hasUnfinished = (): boolean => localStorage.getItem(hint) !== null;

/** useUploads returns the uploads of this tab, once they are loaded. */
export function useUploads(): Uploads | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
}

