import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { Screen } from "../app/Screen";
import { loaded } from "../app/upgrade";
import { usePages } from "../graph/pages";
import { date } from "../text/format";
import { Select } from "../ui/Field";
import { More } from "../ui/More";
import { ErrorNote, Loading } from "../ui/Notes";
import { Part } from "../ui/Rows";
import css from "./Analytics.module.css";
import { AnalyticsDocument, TopVideosDocument, type AnalyticsQuery, type AnalyticsScope } from "./made/graphql";
import { daysOf, ranges, timezone, watched, type Range } from "./range";

const Chart = lazy(() => loaded(import("./Chart")));

type Figures = AnalyticsQuery["workspaceAnalytics"];

const scopes = [
  { value: "WORKSPACE", label: "Shared with the workspace" },
  { value: "MINE", label: "My videos" },
] as const;

const number = (n: number) => n.toLocaleString("en");

/** Analytics shows how the videos of the workspace, or the person's own, are watched. */
export default function Analytics() {
  const [range, setRange] = useState<Range>("30");
  const [scope, setScope] = useState<AnalyticsScope>("WORKSPACE");
  const variables = useMemo(() => ({ scope, timezone: timezone(), ...daysOf(range, timezone()) }), [scope, range]);
  const [{ data, error }, again] = useQuery({ query: AnalyticsDocument, variables });
  const figures = data?.workspaceAnalytics;

  return (
    <Screen
      title="Analytics"
      width="settings"
      about="Figures are at most about a minute old."
      actions={
        <>
          <Select label="Videos" bare value={scope} options={scopes} onPick={setScope} />
          <Select label="Range" bare value={range} options={ranges} onPick={setRange} />
        </>
      }
    >
      {figures ? (
        <>
          <Summary figures={figures} />
          <Days days={figures.viewsOverTime} />
        </>
      ) : error ? (
        <ErrorNote error={error} onRetry={again} />
      ) : (
        <Loading />
      )}
      <TopVideos key={JSON.stringify(variables)} variables={variables} />
      {figures && (
        <div className={css["pair"]}>
          <Table title="Countries" head="Country" rows={figures.geography.map(({ country, views, uniqueSessions }) => ({ key: country ?? "", name: countryName(country), cells: [number(views), number(uniqueSessions)] }))} />
          <Table title="Referrers" head="Site" rows={figures.referrers.map(({ referrerDomain, views, uniqueSessions }) => ({ key: referrerDomain ?? "", name: referrerDomain ?? "Direct or unknown", cells: [number(views), number(uniqueSessions)] }))} />
        </div>
      )}
    </Screen>
  );
}

const names = new Intl.DisplayNames("en", { type: "region" });
const countryName = (code: string | null | undefined) => (code ? (names.of(code) ?? code) : "Unknown");

function Summary({ figures: { summary } }: { figures: Figures }) {
  const all: [string, string][] = [
    ["Views", number(summary.totalViews)],
    ["Sessions", number(summary.uniqueSessions)],
    ["Page opens", number(summary.pageOpens)],
    ["Watch time", watched(summary.totalWatchTimeSeconds)],
    ["Average watch time", watched(summary.averageWatchTimeSeconds)],
    ["Average viewed", summary.averagePercentViewed == null ? "–" : `${Math.round(summary.averagePercentViewed)} %`],
    ["Completions", number(summary.completions)],
  ];
  return (
    <dl className={css["figures"]}>
      {all.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Days({ days }: { days: Figures["viewsOverTime"] }) {
  if (!days.length) {
    return (
      <Part title="Views by day">
        <p className={css["quiet"]}>Nothing was watched yet.</p>
      </Part>
    );
  }
  return (
    <Part title="Views by day">
      <div className={css["card"]}>
        <p className={css["legend"]}>
          <i className={css["views"]} /> Views <i className={css["sessions"]} /> Sessions
        </p>
        <Suspense fallback={<div className={css["chart"]} />}>
          <Chart days={days} />
        </Suspense>
      </div>
      <details className={css["details"]}>
        <summary>Show the figures as a table</summary>
        <div className={css["scroll"]} tabIndex={0} role="region" aria-label="Views by day, as a table">
          <Grid head={["Day", "Views", "Sessions", "Watch time"]} rows={[...days].reverse().map((day) => ({ key: day.date, name: date(`${day.date}T12:00:00`), cells: [number(day.views), number(day.uniqueSessions), watched(day.watchTimeSeconds)] }))} />
        </div>
      </details>
    </Part>
  );
}

type Row = { key: string; name: ReactNode; cells: string[] };

function Grid({ head, rows }: { head: string[]; rows: Row[] }) {
  return (
    <table className={css["table"]}>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {cells.map((cell, i) => (
              <td key={i}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Table({ title, head, rows }: { title: string; head: string; rows: Row[] }) {
  return <Part title={title}>{rows.length ? <Grid head={[head, "Views", "Sessions"]} rows={rows} /> : <p className={css["quiet"]}>None in this time.</p>}</Part>;
}

type Variables = { scope: AnalyticsScope; timezone: string; startDate?: string; endDate?: string };

function TopVideos({ variables }: { variables: Variables }) {
  const videos = usePages("", TopVideosDocument, variables, (data) => data.workspaceAnalytics.topVideos);

  return (
    <Part title="Top videos">
      {videos.nodes.length > 0 && (
        <Grid
          head={["Video", "Views", "Sessions", "Watch time"]}
          rows={videos.nodes.map(({ videoId, video, name, views, uniqueSessions, watchTimeSeconds }) => ({
            key: videoId,
            name: video ? (
              <Link href={`/videos/${videoId}`}>
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <bdi>{name}</bdi>
            ),
            cells: [number(views), number(uniqueSessions), watched(watchTimeSeconds)],
          }))}
        />
      )}
      {videos.loaded && !videos.nodes.length && <p className={css["quiet"]}>No video was opened in this time.</p>}
      <More pages={videos} />
    </Part>
  );
}
