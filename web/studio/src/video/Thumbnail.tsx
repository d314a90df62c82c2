import { useState, type ChangeEvent } from "react";
import { useClient } from "urql";

import { here } from "../graph/address";
import { save } from "../graph/conflict";
import { messageOf } from "../graph/errors";
import { clock } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { toast } from "../ui/toast";
import { readAgain, type Video } from "./edit";
import { CreatePageImageDocument, SetPageThumbnailDocument, type SetThumbnailInput } from "./made/graphql";
import { usePlayer } from "./player";
import css from "./Video.module.css";

const chosen = (video: Video): string => {
  if (!video.thumbnail) return "The first frame stands for this video.";
  if (video.thumbnail.kind !== "FRAME") return "A picture stands for this video.";
  return video.thumbnail.atMs == null ? "The chosen frame is cut away, so the first one stands for this video." : `The frame at ${clock(video.thumbnail.atMs)} stands for this video.`;
};

/** ThumbnailDialog chooses the picture that stands for a video: a frame, a file, or none. */
export function ThumbnailDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const client = useClient();
  const player = usePlayer();
  const [at] = useState(() => Math.min(Math.floor(player.time), Math.max(0, video.durationMs - 1)));
  const [base, setBase] = useState({ values: { thumbnail: JSON.stringify(video.thumbnail) }, revision: video.revision });
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState("");
  const { width, height } = video.dimensions;

  async function set(what: string, input: SetThumbnailInput, said: string) {
    if (busy) return;
    setBusy(what);
    const outcome = await save({
      base,
      changed: { thumbnail: "" }, // whatever is chosen now, it differs from what others chose meanwhile
      send: (_, revision) => client.mutation(SetPageThumbnailDocument, { id: video.id, input, revision }).toPromise(),
      read: async () => {
        const now = await readAgain(client, video.id);
        return now && { values: { thumbnail: JSON.stringify(now.thumbnail) }, revision: now.revision };
      },
    });
    setBusy("");
    if ("data" in outcome) {
      toast(said);
      return onClose();
    }
    if ("error" in outcome) return setProblem(messageOf(outcome.error));
    setBase(outcome.theirs);
    setProblem("Somebody else chose a picture meanwhile; it is shown above. Choose again to use yours.");
  }

  async function send(file: File) {
    setProblem("");
    setBusy("file");
    const { data, error } = await client.mutation(CreatePageImageDocument, { input: { kind: "IMAGE", name: file.name } }).toPromise();
    if (error) {
      setBusy("");
      return setProblem(messageOf(error));
    }
    const { source, uploadUrl } = data!.createSource;
    const sent = await fetch(here(uploadUrl), { method: "PUT", body: file }).catch(() => null);
    setBusy("");
    if (!sent?.ok) return setProblem(sent ? "The server does not take this file. Choose a JPEG, PNG or WebP picture." : "The server cannot be reached. Check your connection and try again.");
    await set("file", { sourceId: source.id }, "The picture now stands for the video");
  }

  return (
    <Dialog title="Thumbnail" onClose={onClose}>
      <img className={css["thumbnail"]} src={here(video.thumbnails.medium.jpg)} alt="" style={{ aspectRatio: `${width} / ${height}` }} />
      <p className={css["quiet"]}>{chosen(video)} It is shown in lists, on its page before it plays, and where its link is shared.</p>
      <div className={css["row"]}>
        <Button look="strong" data-first busy={busy === "frame"} onClick={() => void set("frame", { atMs: at }, `The frame at ${clock(at)} now stands for the video`)}>
          {`Use the frame at ${clock(at)}`}
        </Button>
        {video.thumbnail && (
          <Button busy={busy === "none"} onClick={() => void set("none", {}, "The first frame stands for the video again")}>
            Use the first frame
          </Button>
        )}
      </div>
      <label className={css["file"]}>
        <span>Or a picture of your own</span>
        <input type="file" accept="image/jpeg,image/png,image/webp" disabled={!!busy} onChange={(event: ChangeEvent<HTMLInputElement>) => event.target.files?.[0] && void send(event.target.files[0])} />
      </label>
      {busy === "file" && <p role="status">Sending…</p>}
      {problem && (
        <p role="alert" className={css["problem"]}>
          {problem}
        </p>
      )}
    </Dialog>
  );
}
