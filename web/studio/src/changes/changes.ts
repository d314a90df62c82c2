import type { Client } from "urql";

import { videosBack, videosGone, videosMade } from "../app/videos";
import { count } from "../text/format";
import { toast } from "../ui/toast";
import { fail } from "./bulk";
import { DuplicateVideoDocument, RestoreVideosDocument, TrashVideosDocument } from "./made/graphql";
import { inParts } from "./parts";

export { PlaylistDialog } from "./PlaylistDialog";
export { RenameDialog } from "./RenameDialog";
export { TagDialog } from "./TagDialog";

/** trashVideos moves videos to the trash, and offers to undo it for 10 seconds. It returns the ids that are there. */
export async function trashVideos(client: Client, ids: readonly string[]): Promise<string[]> {
  videosGone(ids);
  const done: string[] = [];
  for (const part of inParts(ids)) {
    const { data, error } = await client.mutation(TrashVideosDocument, { ids: part }).toPromise();
    if (error) {
      videosBack(ids.slice(done.length));
      fail(error);
      break;
    }
    done.push(...data!.trashVideos.deletedIds);
  }
  if (done.length) toast(`${count(done.length, "video")} moved to the trash`, { action: { label: "Undo", run: () => void restoreVideos(client, done) } });
  return done;
}

/** restoreVideos takes videos out of the trash. It returns the ids that are back. */
export async function restoreVideos(client: Client, ids: readonly string[]): Promise<string[]> {
  const done: string[] = [];
  for (const part of inParts(ids)) {
    const { data, error } = await client.mutation(RestoreVideosDocument, { ids: part }).toPromise();
    if (error) {
      fail(error);
      break;
    }
    done.push(...data!.restoreVideos.videos.map((video) => video.id));
  }
  videosBack(done);
  if (done.length) toast(`${count(done.length, "video")} restored`);
  return done;
}

/** duplicateVideo makes a copy. */
export async function duplicateVideo(client: Client, id: string): Promise<void> {
  const { data, error } = await client.mutation(DuplicateVideoDocument, { id }).toPromise();
  if (error) return fail(error);
  videosMade();
  toast(`“${data!.duplicateVideo.video.name}” was made`);
}
