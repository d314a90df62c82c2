import { useEffect, useState } from "react";
import { useClient, useQuery, useSubscription } from "urql";

import { here } from "../graph/address";
import { messageOf } from "../graph/errors";
import { ago } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Checkbox } from "../ui/Checkbox";
import { Select } from "../ui/Field";
import { Icon } from "../ui/Icon";
import { ErrorNote } from "../ui/Notes";
import { Progress } from "../ui/Progress";
import { toast } from "../ui/toast";
import type { Video } from "./edit";
import {
  CancelPageExportDocument, PageExportProgressDocument, StartPageExportDocument, VideoExportsDocument,
  type ExportFps, type Granularity, type PageExportFragment, type Resolution, type Speed,
} from "./made/graphql";
import button from "../ui/Button.module.css";
import css from "./Video.module.css";

const kinds: Record<Granularity, string> = { STORY: "The whole video", SCENES: "One file for each clip", RAW: "The recordings, uncut" };
const resolutions: Record<Resolution, string> = { P1080: "1080p", UHD_4K: "4K" };
const rates: Record<ExportFps, string> = { FPS_30: "30 fps", FPS_60: "60 fps" };
const speeds: Record<Speed, string> = { X0_5: "0.5×", X0_75: "0.75×", X1: "1×", X1_25: "1.25×", X1_5: "1.5×", X1_75: "1.75×", X2: "2×" };

const options = <V extends string>(labels: Record<V, string>) => (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value] }));

/** Exports lists the files that were made of the video. Those in progress tell how far they are. */
export function Exports({ video, started }: { video: Video; started: number }) {
  const [first, setFirst] = useState(5);
  const [{ data, error }, again] = useQuery({ query: VideoExportsDocument, variables: { id: video.id, first } });
  const exports = data?.exports.nodes ?? [];

  useEffect(() => {
    if (started) again({ requestPolicy: "network-only" });
  }, [again, started]);

  return (
    <section className={css["card"]} aria-labelledby="exports">
      <div className={css["cardHead"]}>
        <h2 id="exports">Exports</h2>
      </div>
      {error && !data && <ErrorNote error={error} onRetry={() => again({ requestPolicy: "network-only" })} />}
      {data && !exports.length && (
        <p className={css["quiet"]}>No files yet. “Export” makes one, to keep or to show elsewhere.</p>
      )}
      {exports.length > 0 && (
        <ul>
          {exports.map((one) => (
            <Row key={one.id} export={one} />
          ))}
        </ul>
      )}
      {data?.exports.pageInfo.hasNextPage && (
        <div>
          <Button onClick={() => setFirst(first + 20)}>Show older exports</Button>
        </div>
      )}
    </section>
  );
}

const nameOf = (one: PageExportFragment): string =>
  one.granularity === "RAW"
    ? kinds.RAW
    : [kinds[one.granularity], resolutions[one.resolution], rates[one.fps], one.speed !== "X1" && speeds[one.speed], one.subtitles && "with captions"].filter(Boolean).join(" · ");

function Row({ export: one }: { export: PageExportFragment }) {
  const client = useClient();
  const running = one.status === "PENDING" || one.status === "PROCESSING";
  const [wasRunning] = useState(running);

  // What it sends goes into the cache, and from there into the list.
  useSubscription({ query: PageExportProgressDocument, variables: { id: one.id }, pause: !running });

  async function cancel() {
    const { error } = await client.mutation(CancelPageExportDocument, { id: one.id }).toPromise();
    if (error) toast(messageOf(error), { problem: true });
  }

  return (
    <li className={css["item"]}>
      <p className={css["itemName"]}>{nameOf(one)}</p>
      {running && (
        <>
          <Progress label={`Progress of ${nameOf(one)}`} value={one.status === "PENDING" ? null : one.progress / 100} />
          <div className={css["row"]}>
            <p className={`${css["quiet"]} ${css["grow"]}`}>{one.status === "PENDING" ? "Waiting" : `${one.progress} %`}</p>
            <Button look="quiet" className={css["small"]} onClick={() => void cancel()}>
              Cancel
            </Button>
          </div>
        </>
      )}
      {one.status === "COMPLETED" && (
        <div className={css["row"]}>
          <p className={`${css["quiet"]} ${css["grow"]}`} {...(wasRunning && { role: "status" })}>
            {wasRunning ? "Ready" : `Made ${ago(one.createdAt)}`}
          </p>
          {one.downloadUrl && (
            <a className={button["button"]} href={here(one.downloadUrl)} download>
              <Icon name="download" size={18} />
              Download
            </a>
          )}
        </div>
      )}
      {one.status === "FAILED" && <p className={css["problem"]}>{one.error?.message ?? "This export failed."}</p>}
      {one.status === "CANCELED" && <p className={css["quiet"]}>Canceled</p>}
    </li>
  );
}

/** ExportDialog starts an export. */
export function ExportDialog({ video, edits, onClose, onStarted }: { video: Video; edits: boolean; onClose: () => void; onStarted: () => void }) {
  const client = useClient();
  const [granularity, setGranularity] = useState<Granularity>("STORY");
  const [resolution, setResolution] = useState<Resolution>("P1080");
  const [fps, setFps] = useState<ExportFps>("FPS_30");
  const [speed, setSpeed] = useState<Speed>("X1");
  const [subtitles, setSubtitles] = useState(video.editing.subtitlesEnabled);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  const raw = granularity === "RAW";
  const allowed = options(kinds).filter(({ value }) => value !== "RAW" || edits || video.settings.rawDownloadsEnabled);

  async function start() {
    if (busy) return;
    setBusy(true);
    const { data, error } = await client.mutation(StartPageExportDocument, { id: video.id, input: { granularity, ...(!raw && { resolution, fps, speed, subtitles }) } }).toPromise();
    setBusy(false);
    if (error) return setProblem(messageOf(error));
    toast(data!.startExport.export.status === "COMPLETED" ? "The export is ready" : "The export has started");
    onStarted();
    onClose();
  }

  return (
    <Dialog
      title="Export"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" busy={busy} onClick={() => void start()}>
            Export
          </Button>
        </>
      }
    >
      <Select label="What" value={granularity} onPick={setGranularity} options={allowed} hint={granularity === "STORY" ? "An MP4 file." : "A ZIP file."} />
      {!raw && (
        <>
          <Select label="Resolution" value={resolution} onPick={setResolution} options={options(resolutions)} />
          <Select label="Frame rate" value={fps} onPick={setFps} options={options(rates)} />
          <Select label="Speed" value={speed} onPick={setSpeed} options={options(speeds)} hint="The pitch of voices stays." />
          <Checkbox label="Burn in captions" hint="They are then part of the picture and cannot be turned off." checked={subtitles} onCheck={setSubtitles} />
        </>
      )}
      {problem && (
        <p role="alert" className={css["problem"]}>
          {problem}
        </p>
      )}
    </Dialog>
  );
}
