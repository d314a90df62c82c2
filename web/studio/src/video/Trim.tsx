import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useClient, useQuery } from "urql";

import { here } from "../graph/address";
import { save } from "../graph/conflict";
import { messageOf } from "../graph/errors";
import { clock, spoken } from "../text/format";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { readAgain, type Video } from "./edit";
import { TrimClipDocument, VideoFilmstripDocument } from "./made/graphql";
import { usePlayed, usePlayer } from "./player";
import { bounded, trimmed, wholeOf, type Clip } from "./trim";
import css from "./Video.module.css";

const clipsOf = (video: Video): Clip[] => video.clips.nodes.map(({ id, cuts, maxDurationSeconds }) => ({ id, cuts, lengthMs: Math.round(maxDurationSeconds * 1000) }));

/** How long after the last key the trim is saved, in milliseconds. */
const rest = 800;

/** tenths writes a position exactly enough for a cut. */
const tenths = (ms: number) => `${clock(ms)}.${Math.floor((ms % 1000) / 100)}`;

type Ends = { start: number; end: number };

/** Trim takes away the beginning and the end of a video. What it takes away can be taken back. */
export function Trim({ video }: { video: Video }) {
  const clips = clipsOf(video);
  const whole = video.clips.pageInfo.hasNextPage ? null : wholeOf(clips);
  if (!whole) return null;
  return <TrimOf video={video} clips={clips} saved={{ start: whole.startMs, end: whole.endMs }} />;
}

function TrimOf({ video, clips, saved }: { video: Video; clips: Clip[]; saved: Ends }) {
  const client = useClient();
  const player = usePlayer();
  const bar = useRef<HTMLDivElement>(null);
  const timer = useRef(0);
  const [moved, setMoved] = useState<Ends | null>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const [problem, setProblem] = useState("");

  const whole = wholeOf(clips)!;
  const ends = moved ?? saved;
  const percent = (ms: number) => `${(ms / whole.lengthMs) * 100}%`;

  useEffect(() => () => clearTimeout(timer.current), []);

  function move(which: "start" | "end", ms: number): Ends {
    const next = { ...ends, [which]: bounded(whole, which, ms, which === "start" ? ends.end : ends.start) };
    setMoved(next);
    setProblem("");
    // The player has only what is kept now.
    player.seek(Math.min(Math.max(next[which] - saved.start, 0), video.durationMs));
    return next;
  }

  async function apply(next: Ends) {
    clearTimeout(timer.current);
    if (busy) return;
    if (next.start === saved.start && next.end === saved.end) return setMoved(null);

    setBusy(true);
    setSaid("Saving…");
    let revision = video.revision;
    for (const { id, cuts } of trimmed(clips, next.start, next.end)) {
      const before = clips.find((clip) => clip.id === id)!.cuts.map(({ startTimeMs, durationMs }) => ({ startTimeMs, durationMs }));
      const outcome = await save({
        base: { values: { cuts: before }, revision },
        changed: { cuts },
        send: (changed, base) => client.mutation(TrimClipDocument, { id, cuts: changed.cuts!, revision: base }).toPromise(),
        read: async () => {
          const now = await readAgain(client, video.id);
          const clip = now?.clips.nodes.find((one) => one.id === id);
          return now && clip ? { values: { cuts: clip.cuts.map(({ startTimeMs, durationMs }) => ({ startTimeMs, durationMs })) }, revision: now.revision } : null;
        },
      });
      if (!("data" in outcome)) {
        setBusy(false);
        setMoved(null);
        setSaid("");
        return setProblem("error" in outcome ? messageOf(outcome.error) : `Somebody else cut this part meanwhile. The handles show their cuts now; you had chosen ${tenths(next.start)} to ${tenths(next.end)}.`);
      }
      revision = outcome.data.updateClip.video.revision;
    }
    setBusy(false);
    setMoved(null);
    setSaid(next.start === 0 && next.end === whole.lengthMs ? "Nothing is trimmed" : `Saved: ${clock(next.end - next.start)} of ${clock(whole.lengthMs)} is kept`);
  }

  function onKeyDown(which: "start" | "end") {
    return (event: KeyboardEvent) => {
      const step = event.shiftKey ? 1_000 : 100;
      const from = ends[which];
      const to = { ArrowLeft: from - step, ArrowDown: from - step, ArrowRight: from + step, ArrowUp: from + step, PageDown: from - 5_000, PageUp: from + 5_000, Home: 0, End: whole.lengthMs }[event.key];
      if (to === undefined || busy) return;
      event.preventDefault();
      const next = move(which, to);
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => void apply(next), rest);
    };
  }

  function onPointerDown(which: "start" | "end") {
    return (event: PointerEvent<HTMLElement>) => {
      if (busy || event.button !== 0) return;
      const handle = event.currentTarget;
      handle.setPointerCapture(event.pointerId);
      const { left, width } = bar.current!.getBoundingClientRect();
      const by = event.clientX - left - (ends[which] / whole.lengthMs) * width;
      let next = ends;
      handle.onpointermove = (at) => (next = move(which, ((at.clientX - left - by) / width) * whole.lengthMs));
      handle.onlostpointercapture = () => {
        handle.onpointermove = handle.onlostpointercapture = null;
        void apply(next);
      };
    };
  }

  const handle = (which: "start" | "end") => (
    <div
      role="slider"
      tabIndex={0}
      aria-label={which === "start" ? "Start" : "End"}
      aria-orientation="horizontal"
      aria-valuemin={which === "start" ? 0 : Math.round(Math.max(whole.earliestEndMs, ends.start) / 100) / 10}
      aria-valuemax={Math.round((which === "start" ? Math.min(whole.latestStartMs, ends.end) : whole.lengthMs) / 100) / 10}
      aria-valuenow={Math.round(ends[which] / 100) / 10}
      aria-valuetext={`${spoken(ends[which])}${ends[which] % 1000 >= 100 ? ` ${Math.floor((ends[which] % 1000) / 100)} tenths` : ""}`}
      className={classes(css["handle"], css[which])}
      style={{ insetInlineStart: percent(ends[which]) }}
      onKeyDown={onKeyDown(which)}
      onPointerDown={onPointerDown(which)}
    />
  );

  return (
    <section className={css["card"]} aria-labelledby="trim">
      <div className={css["cardHead"]}>
        <h2 id="trim">Trim</h2>
        <div className={css["row"]}>
          <Here of={saved.start} onPick={(which, ms) => !busy && void apply(move(which, ms))} />
          <Button icon="undo" look="quiet" className={css["tight"]} disabled={!busy && ends.start === 0 && ends.end === whole.lengthMs} busy={busy} onClick={() => void apply({ start: 0, end: whole.lengthMs })}>
            Reset
          </Button>
        </div>
      </div>
      <div dir="ltr" className={css["trim"]} ref={bar}>
        <Filmstrip video={video} left={percent(saved.start)} width={percent(saved.end - saved.start)} />
        <div className={css["gone"]} style={{ insetInlineStart: 0, width: percent(ends.start) }} />
        <div className={css["gone"]} style={{ insetInlineStart: percent(ends.end), insetInlineEnd: 0 }} />
        <div className={css["edge"]} style={{ insetInlineStart: percent(ends.start), width: percent(ends.end - ends.start) }} />
        <Playhead before={saved.start} of={whole.lengthMs} />
        {handle("start")}
        {handle("end")}
      </div>
      <div className={css["row"]}>
        <p className={classes(css["quiet"], css["grow"])}>
          {tenths(ends.start)} – {tenths(ends.end)} of {tenths(whole.lengthMs)}
        </p>
        <p role="status" className={css["quiet"]}>
          {said}
        </p>
      </div>
      {problem && (
        <p role="alert" className={css["problem"]}>
          {problem}
        </p>
      )}
      <p className={css["quiet"]}>Drag the handles, or move them with the arrow keys, with Shift by a second. What is trimmed is kept and can be taken back.</p>
    </section>
  );
}

/** Here trims at the player's time. */
function Here({ of, onPick }: { of: number; onPick: (which: "start" | "end", ms: number) => void }) {
  const player = usePlayer();
  return (
    <>
      <Button look="quiet" className={css["tight"]} onClick={() => onPick("start", of + player.time)}>
        Start here
      </Button>
      <Button look="quiet" className={css["tight"]} onClick={() => onPick("end", of + player.time)}>
        End here
      </Button>
    </>
  );
}

function Playhead({ before, of }: { before: number; of: number }) {
  const tenth = usePlayed((ms) => Math.round(ms / 100));
  return <div className={css["head"]} style={{ insetInlineStart: `${((before + tenth * 100) / of) * 100}%` }} />;
}

/** Filmstrip shows pictures of what is kept. */
function Filmstrip({ video, left, width }: { video: Video; left: string; width: string }) {
  const [{ data }] = useQuery({ query: VideoFilmstripDocument, variables: { id: video.id, durationMs: video.durationMs }, pause: video.durationMs <= 0 });
  const sheet = data?.video?.storyboard;

  return (
    <div className={css["strip"]} style={{ insetInlineStart: left, width }}>
      {sheet &&
        Array.from({ length: sheet.columns * sheet.rows }, (_, i) => (
          <i
            key={i}
            style={{
              backgroundImage: `url("${here(sheet.url)}")`,
              backgroundSize: `${sheet.columns * 100}% ${sheet.rows * 100}%`,
              backgroundPosition: `${((i % sheet.columns) / (sheet.columns - 1)) * 100}% ${(Math.floor(i / sheet.columns) / (sheet.rows - 1)) * 100}%`,
            }}
          />
        ))}
    </div>
  );
}
