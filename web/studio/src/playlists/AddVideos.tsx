import { useDeferredValue, useState } from "react";
import { useClient, useQuery } from "urql";

import { fail } from "../changes/bulk";
import { clock, count } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Checkbox } from "../ui/Checkbox";
import { TextField } from "../ui/Field";
import { ErrorNote, Loading } from "../ui/Notes";
import { toast } from "../ui/toast";
import { AddVideosDocument, FindVideosToAddDocument, VideosToAddDocument } from "./made/graphql";
import css from "./Playlists.module.css";

/** The most that one mutation takes. */
const most = 100;

/** AddVideos chooses videos that are not in the playlist yet. */
export function AddVideos({ playlistId, onClose, onAdded }: { playlistId: string; onClose: () => void; onAdded: () => void }) {
  const client = useClient();
  const [text, setText] = useState("");
  const [chosen, choose] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const query = useDeferredValue(text.trim());
  const [newest] = useQuery({ query: VideosToAddDocument, pause: !!query });
  const [found] = useQuery({ query: FindVideosToAddDocument, variables: { query }, pause: !query });

  const { error } = query ? found : newest;
  const all = query ? found.data?.searchVideos.nodes.map(({ video }) => video) : newest.data?.videos.nodes;
  const videos = all && [...new Map(all.map((video) => [video.id, video])).values()].filter((video) => !video.playlistIds.includes(playlistId));

  async function add() {
    if (!chosen.length) return onClose();
    setBusy(true);
    const { error } = await client.mutation(AddVideosDocument, { playlistId, videoIds: [...chosen] }).toPromise();
    setBusy(false);
    if (error) return fail(error);
    toast(`${count(chosen.length, "video")} added`);
    onAdded();
  }

  return (
    <Dialog
      title="Add videos"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" busy={busy} disabled={!chosen.length} onClick={() => void add()}>
            Add videos
          </Button>
        </>
      }
    >
      <TextField label="Search" type="search" value={text} onText={setText} />
      {error ? (
        <ErrorNote error={error} />
      ) : !videos ? (
        <Loading />
      ) : videos.length ? (
        <div role="group" aria-label="Videos" className={css["picks"]}>
          {videos.map((video) => (
            <Checkbox
              key={video.id}
              label={video.name}
              hint={clock(video.durationMs)}
              checked={chosen.includes(video.id)}
              disabled={chosen.length >= most && !chosen.includes(video.id)}
              onCheck={(now) => choose((ids) => (now ? [...ids, video.id] : ids.filter((id) => id !== video.id)))}
            />
          ))}
        </div>
      ) : (
        <p className={css["quiet"]}>{query ? "No other video fits." : "All your newest videos are in it already."}</p>
      )}
      {chosen.length > 0 && <p role="status" className={css["quiet"]}>{count(chosen.length, "video")} chosen</p>}
    </Dialog>
  );
}
