import { useMemo, useState, type PointerEvent } from "react";
import { useQuery } from "urql";

import { clock, count } from "../text/format";
import { Select } from "../ui/Field";
import { ErrorNote, Loading } from "../ui/Notes";
import { curveOf, daysOf, span, type Point, type Range } from "./curve";
import type { Video } from "./edit";
import { VideoFiguresDocument, type VideoFiguresQuery } from "./made/graphql";
import { usePlayed, usePlayer } from "./player";
import css from "./Video.module.css";

const ranges: readonly { value: Range; label: string }[] = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
  { value: "all", label: "All time" },
];

const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const regions = new Intl.DisplayNames("en", { type: "region" });

/** Figures is the analytics of a video. Its curve is as wide as the player above it. */
export function Figures({ video }: { video: Video }) {
  const [range, setRange] = useState<Range>("all");
  const days = useMemo(() => daysOf(range, new Date()), [range]);
  const [{ data, error, fetching }, again] = useQuery({ query: VideoFiguresDocument, variables: { id: video.id, timezone, ...days } });
  const figures = data?.videoAnalytics;

  return (
    <section className={css["card"]} aria-labelledby="figures">
      <div className={css["cardHead"]}>
        <h2 id="figures">Analytics</h2>
        <div>
          <Select bare label="Range" value={range} onPick={setRange} options={ranges} />
        </div>
      </div>
      {error && !figures && <ErrorNote error={error} onRetry={() => again({ requestPolicy: "network-only" })} />}
      {!figures && fetching && <Loading />}
      {figures && <Shown video={video} figures={figures} />}
    </section>
  );
}

function Shown({ video, figures }: { video: Video; figures: VideoFiguresQuery["videoAnalytics"] }) {
  const { summary } = figures;
  const points = useMemo(() => figures.retention.map(({ percent, uniqueViewers }) => ({ percent, viewers: uniqueViewers })), [figures]);

  if (!summary.totalViews && !summary.pageOpens) return <p className={css["quiet"]}>Nobody has watched it in this time. Share its link to change that.</p>;

  const all: [string, string][] = [
    ["Plays", summary.totalViews.toLocaleString("en")],
    ["Visitors", summary.uniqueSessions.toLocaleString("en")],
    ["Average watched", summary.averagePercentViewed == null ? "–" : `${Math.round(summary.averagePercentViewed)} %`],
    ["Watched in all", span(summary.totalWatchTimeSeconds)],
    ["Watched to the end", summary.completions.toLocaleString("en")],
  ];

  return (
    <>
      <Curve points={points} durationMs={video.durationMs} />
      <dl className={css["figures"]}>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={css["lists"]}>
        <Top title="From" rows={figures.referrers.map(({ referrerDomain, views }) => [referrerDomain ?? "Directly, or unknown", views])} />
        <Top title="Countries" rows={figures.geography.map(({ country, views }) => [country ? (regions.of(country) ?? country) : "Unknown", views])} />
      </div>
      <details className={css["details"]}>
        <summary>Show as tables</summary>
        <Table title="Viewers by time" head={["Time", "Viewers"]} rows={points.filter(({ percent }) => percent % 5 === 0).map(({ percent, viewers }) => [clock((percent / 100) * video.durationMs), viewers])} />
        <Table title="Plays by day" head={["Day", "Plays"]} rows={figures.viewsOverTime.map(({ date, views }) => [date, views])} />
      </details>
    </>
  );
}

/** Curve shows how many viewers saw each part. A click goes there; the table has the same figures. */
function Curve({ points, durationMs }: { points: Point[]; durationMs: number }) {
  const player = usePlayer();
  const now = usePlayed((ms) => (durationMs ? Math.min(100, Math.round((ms / durationMs) * 1000) / 10) : 0));
  const [at, setAt] = useState<number | null>(null);
  const curve = useMemo(() => curveOf(points), [points]);
  if (!curve) return null;

  const percentOf = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(100, Math.max(0, ((event.clientX - left) / width) * 100));
  };
  const viewersAt = (percent: number) => points.findLast((point) => point.percent <= percent)?.viewers ?? 0;

  return (
    <figure className={css["curve"]}>
      <figcaption className={css["quiet"]}>How many viewers saw each part</figcaption>
      <div
        className={css["plot"]}
        role="img"
        aria-label={`${count(viewersAt(0), "viewer")} at the beginning, ${viewersAt(50)} in the middle, ${viewersAt(99)} at the end`}
        onPointerMove={(event) => setAt(percentOf(event))}
        onPointerLeave={() => setAt(null)}
        onClick={(event) => player.seek((percentOf(event as unknown as PointerEvent<HTMLElement>) / 100) * durationMs)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path className={css["area"]} d={curve.area} />
          <path className={css["line"]} d={curve.line} />
        </svg>
        <div className={css["now"]} style={{ insetInlineStart: `${now}%` }} />
        {at !== null && (
          <div className={css["tip"]} style={{ insetInlineStart: `${Math.min(88, Math.max(12, at))}%` }}>
            {clock((at / 100) * durationMs)} · {count(viewersAt(at), "viewer")}
          </div>
        )}
      </div>
      <div className={css["axis"]} aria-hidden="true">
        <span>0:00</span>
        <span>{clock(durationMs)}</span>
      </div>
    </figure>
  );
}

function Top({ title, rows }: { title: string; rows: readonly (readonly [string, number])[] }) {
  if (!rows.length) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {rows.slice(0, 5).map(([name, views]) => (
          <li key={name}>
            <span>{name}</span>
            <span>{views.toLocaleString("en")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Table({ title, head, rows }: { title: string; head: readonly [string, string]; rows: readonly (readonly [string, number])[] }) {
  return (
    <div className={css["scroll"]} tabIndex={0} role="region" aria-label={title}>
      <table className={css["table"]}>
        <thead>
          <tr>
            <th scope="col">{head[0]}</th>
            <th scope="col">{head[1]}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value.toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
