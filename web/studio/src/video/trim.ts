// Trimming is a cut at the beginning of the first clip and one at the end of the last. Positions are in milliseconds of the
// whole: the video as it would play with both of them taken back. Other cuts stay as they are.

export type Cut = { startTimeMs: number; durationMs: number };
export type Clip = { id: string; cuts: readonly Cut[]; lengthMs: number };

/** What a video keeps, and how far its ends can be moved. */
export type Whole = {
  lengthMs: number;
  startMs: number;
  endMs: number;
  /** The start is inside the first clip, the end inside the last: both leave a piece of it. */
  latestStartMs: number;
  earliestEndMs: number;
};

/** The shortest piece of a clip that the server keeps. */
const least = 100;

const end = (cut: Cut) => cut.startTimeMs + cut.durationMs;
const sum = (cuts: readonly Cut[]) => cuts.reduce((all, cut) => all + cut.durationMs, 0);

const headOf = ({ cuts }: Clip) => cuts.find((cut) => cut.startTimeMs <= 0) ?? null;
const tailOf = ({ cuts, lengthMs }: Clip) => cuts.find((cut) => end(cut) >= lengthMs) ?? null;

/** inside returns the cuts that are not trims. */
const inside = (clip: Clip, first: boolean, last: boolean) => clip.cuts.filter((cut) => !(first && cut === headOf(clip)) && !(last && cut === tailOf(clip)));

const played = (clip: Clip, first: boolean, last: boolean) => clip.lengthMs - sum(inside(clip, first, last));

/** wholeOf describes what a video of these clips keeps. */
export function wholeOf(clips: readonly Clip[]): Whole | null {
  const [first, last] = [clips[0], clips.at(-1)];
  if (!first || !last) return null;

  const lengths = clips.map((clip) => played(clip, clip === first, clip === last));
  const lengthMs = lengths.reduce((all, length) => all + length, 0);
  if (lengthMs <= 2 * least) return null;

  return {
    lengthMs,
    startMs: headOf(first)?.durationMs ?? 0,
    endMs: lengthMs - (tailOf(last)?.durationMs ?? 0),
    latestStartMs: lengths[0]! - least,
    earliestEndMs: lengthMs - lengths.at(-1)! + least,
  };
}

/** bounded keeps a trim inside what is possible: the ends neither cross nor leave their clips. */
export function bounded(whole: Whole, moved: "start" | "end", ms: number, other: number): number {
  const at = Math.round(ms);
  return moved === "start" ? Math.max(0, Math.min(at, whole.latestStartMs, other - least)) : Math.min(whole.lengthMs, Math.max(at, whole.earliestEndMs, other + least));
}

/** recorded turns a position in a clip into recording time. At a cut it is before or after it. */
function recorded(cuts: readonly Cut[], ms: number, after: boolean): number {
  let at = ms;
  for (const cut of cuts) {
    if (cut.startTimeMs < at || (after && cut.startTimeMs === at)) at += cut.durationMs;
    else break;
  }
  return at;
}

/** trimmed returns the cuts of the clips that change so that the video begins and ends at these positions. */
export function trimmed(clips: readonly Clip[], startMs: number, endMs: number): { id: string; cuts: Cut[] }[] {
  const whole = wholeOf(clips);
  const [first, last] = [clips[0], clips.at(-1)];
  if (!whole || !first || !last) return [];

  return [...new Set([first, last])].flatMap((clip) => {
    const kept = inside(clip, clip === first, clip === last);
    const from = clip === first && startMs > 0 ? Math.round(recorded(kept, startMs, true)) : 0;
    const length = played(clip, clip === first, clip === last);
    const endsAt = length - (whole.lengthMs - endMs);
    const to = clip === last && endsAt < length ? Math.round(recorded(kept, endsAt, false)) : clip.lengthMs;
    const cuts = [
      ...(from > 0 ? [{ startTimeMs: 0, durationMs: from }] : []),
      ...kept.filter((cut) => end(cut) > from && cut.startTimeMs < to),
      ...(to < clip.lengthMs ? [{ startTimeMs: to, durationMs: clip.lengthMs - to }] : []),
    ];
    return JSON.stringify(cuts) === JSON.stringify(clip.cuts.map(({ startTimeMs, durationMs }) => ({ startTimeMs, durationMs }))) ? [] : [{ id: clip.id, cuts }];
  });
}
