import { useEffect, useRef, useState } from "react";

import { here } from "../graph/address";
import { clock, spoken } from "../text/format";
import { usePlayer } from "./player";
import css from "./Video.module.css";
import type { Video } from "./edit";

/** What of a video its page shows in the frame. The page is loaded again when that changes, and goes on at the same time. */
const shownOf = ({ durationMs, clips, chapters }: Video, added: number) => JSON.stringify([added, durationMs, clips.nodes.map((clip) => [clip.id, clip.cuts]), chapters]);

/** Frame is the player: the page for embedding. */
export function Frame({ video, from, added }: { video: Video; from: number; added: number }) {
  const player = usePlayer();
  const frame = useRef<HTMLIFrameElement>(null);
  const [watched, setWatched] = useState(true);
  const shown = shownOf(video, added);
  const first = useRef(shown);
  const [address] = useState(() => here(video.links.embedPage) + (from > 0 ? `#t=${(from / 1000).toFixed(1)}` : ""));

  useEffect(() => {
    if (first.current === shown) return;
    first.current = shown;
    const at = player.time;
    player.detach();
    frame.current?.contentWindow?.location.reload();
    player.seek(Math.min(at, video.durationMs));
  }, [player, shown, video.durationMs]);

  const { width, height } = video.dimensions;

  return (
    <>
      <div className={css["frame"]} style={{ aspectRatio: `${width} / ${height}` }}>
        <iframe
          ref={frame}
          src={address}
          title={`Player of ${video.name}`}
          allow="autoplay; fullscreen; picture-in-picture; clipboard-write"
          onLoad={(event) => setWatched(player.attach(event.currentTarget))}
        />
      </div>
      {!watched && <p className={css["quiet"]}>The video cannot be watched in this browser as it is: the player shows what a viewer would see here.</p>}
    </>
  );
}

/** Stamp is a time in the video, written for eyes and for screen readers. */
export function Stamp({ ms, className }: { ms: number; className?: string | undefined }) {
  return (
    <time className={className} aria-label={spoken(ms)}>
      {clock(ms)}
    </time>
  );
}
