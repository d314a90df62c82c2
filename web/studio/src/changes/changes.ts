import type { Client } from "urql";

import { count } from "../text/format";
import { toast } from "../ui/toast";
import { fail } from "./each";
import { DeleteVideoDocument, DuplicateVideoDocument } from "./made/graphql";

export { PlaylistDialog } from "./PlaylistDialog";
export { RenameDialog } from "./RenameDialog";
export { TagDialog } from "./TagDialog";

/** How long a deletion can be undone, in milliseconds. */
const undoable = 10_000;

/** discardVideos deletes videos after a time in which it can be undone. */
export async function discardVideos(client: Client, ids: readonly string[], list: { hide: () => void; show: (ids: readonly string[]) => void }): Promise<void> {
  list.hide();
  const undone = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), undoable);
    toast(`${count(ids.length, "video")} deleted`, {
      lasts: undoable,
      action: {
        label: "Undo",
        run() {
          clearTimeout(timer);
          resolve(true);
        },
      },
    });
  });
  if (undone) return list.show(ids);

  for (const [i, id] of ids.entries()) {
    const { error } = await client.mutation(DeleteVideoDocument, { id }).toPromise();
    if (!error) continue;
    list.show(ids.slice(i));
    return fail(error);
  }
}

/** duplicateVideo makes a copy, and reports whether it did. */
export async function duplicateVideo(client: Client, id: string): Promise<boolean> {
  const { data, error } = await client.mutation(DuplicateVideoDocument, { id }).toPromise();
  if (error) fail(error);
  else toast(`“${data!.duplicateVideo.video.name}” was made`);
  return !error;
}
