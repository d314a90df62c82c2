import { memo, useEffect, useMemo, useRef, useState, type ChangeEvent } from "react";
import { useClient, useQuery, useSubscription } from "urql";

import { messageOf } from "../graph/errors";
import { count } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Select, TextField } from "../ui/Field";
import { Menu } from "../ui/Menu";
import { ErrorNote } from "../ui/Notes";
import { toast } from "../ui/toast";
import type { Video } from "./edit";
import { Stamp } from "./Frame";
import { PutCaptionsDocument, VideoCaptionsDocument, VideoTranscriptDocument, VideoTranscriptReadyDocument, type SubtitleFormat, type TranscriptStatus } from "./made/graphql";
import { usePlayed, usePlayer } from "./player";
import { currentOf, pieces, type Piece } from "./transcript";
import css from "./Video.module.css";

const states: Record<Exclude<TranscriptStatus, "READY">, string> = {
  PENDING: "The speech of this video is waiting to be written down.",
  PROCESSING: "The speech of this video is being written down. It appears here by itself.",
  FAILED: "The speech of this video could not be written down. You can add captions from a file.",
  UNAVAILABLE: "This server does not write down speech. You can add captions from a file.",
};

/** Transcript is what is spoken. A click on a sentence goes there. Captions are its files. */
export function Transcript({ video, edits, onAdded }: { video: Video; edits: boolean; onAdded: () => void }) {
  const [{ data, error }, again] = useQuery({ query: VideoTranscriptDocument, variables: { id: video.id } });
  const [search, setSearch] = useState("");
  const [adds, setAdds] = useState(false);
  const transcript = data?.video?.transcript;
  const sentences = transcript?.sentences ?? none;
  const read = () => again({ requestPolicy: "network-only" });

  // Cuts move the words.
  const revision = useRef(video.revision);
  useEffect(() => {
    if (revision.current === video.revision) return;
    revision.current = video.revision;
    again({ requestPolicy: "network-only" });
  }, [again, video.revision]);

  const waits = transcript?.status === "PENDING" || transcript?.status === "PROCESSING";
  useSubscription({ query: VideoTranscriptReadyDocument, variables: { id: video.id }, pause: !waits }, (before: unknown, now) => {
    read();
    return now ?? before;
  });

  const found = useMemo(
    () => sentences.flatMap((sentence, index) => {
      const parts = pieces(sentence.text, search);
      return parts ? [{ index, parts, startMs: sentence.startSeconds * 1000 }] : [];
    }),
    [sentences, search],
  );

  return (
    <section className={css["card"]} aria-labelledby="transcript">
      <div className={css["cardHead"]}>
        <h2 id="transcript">Transcript</h2>
        <Captions video={video} ready={transcript?.status === "READY" && sentences.length > 0} edits={edits} onAdd={() => setAdds(true)} />
      </div>
      {error && !transcript && <ErrorNote error={error} onRetry={read} />}
      {transcript && transcript.status !== "READY" && <p className={css["quiet"]}>{states[transcript.status]}</p>}
      {transcript?.status === "READY" && !sentences.length && <p className={css["quiet"]}>Nothing is spoken in this video.</p>}
      {transcript?.status === "READY" && sentences.length > 0 && (
        <>
          <TextField bare type="search" label="Search the transcript" placeholder="Search the transcript" value={search} onText={setSearch} />
          <p role="status" className={css["quiet"]} hidden={!search.trim()}>
            {search.trim() && (found.length ? `${count(found.length, "place")} found` : "Not spoken in this video")}
          </p>
          <Sentences all={sentences} found={found} lang={transcript.language} follows={!search.trim()} />
        </>
      )}
      {adds && (
        <AddCaptions
          video={video}
          onClose={(added) => {
            setAdds(false);
            if (!added) return;
            read();
            onAdded();
          }}
        />
      )}
    </section>
  );
}

const none: readonly { startSeconds: number; endSeconds: number; text: string }[] = [];

type Found = { index: number; parts: Piece[]; startMs: number };

function Sentences({ all, found, lang, follows }: { all: readonly { startSeconds: number }[]; found: Found[]; lang: string; follows: boolean }) {
  const player = usePlayer();
  const list = useRef<HTMLOListElement>(null);
  const current = usePlayed((ms) => currentOf(all, ms));

  // The list follows the player, unless it is being read: it has the focus or the pointer.
  useEffect(() => {
    const box = list.current;
    if (!follows || !box || box.matches(":hover, :focus-within")) return;
    const row = box.querySelector<HTMLElement>('[aria-current="true"]');
    if (row) box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  }, [current, follows]);

  const go = useMemo(() => (ms: number) => player.seek(ms, true), [player]);

  return (
    <ol ref={list} lang={lang || undefined} className={css["scrolling"]}>
      {found.map(({ index, parts, startMs }) => (
        <Sentence key={index} parts={parts} startMs={startMs} current={index === current} onGo={go} />
      ))}
    </ol>
  );
}

const Sentence = memo(function Sentence({ parts, startMs, current, onGo }: { parts: Piece[]; startMs: number; current: boolean; onGo: (ms: number) => void }) {
  return (
    <li className={css["sentence"]}>
      <button type="button" className={css["jump"]} aria-current={current} onClick={() => onGo(startMs)}>
        <Stamp ms={startMs} className={css["stamp"]} />
        <span dir="auto">{parts.map((part, i) => (part.found ? <mark key={i}>{part.text}</mark> : part.text))}</span>
      </button>
    </li>
  );
});

function Captions({ video, ready, edits, onAdd }: { video: Video; ready: boolean; edits: boolean; onAdd: () => void }) {
  const client = useClient();

  async function download(format: SubtitleFormat) {
    const { data, error } = await client.query(VideoCaptionsDocument, { id: video.id, format }, { requestPolicy: "network-only" }).toPromise();
    const text = data?.video?.transcript.captions;
    if (error || !text) return void toast(error ? messageOf(error) : "There are no captions yet", { problem: true });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: format === "VTT" ? "text/vtt" : "application/x-subrip" }));
    link.download = `${video.name.replace(/[/\\:*?"<>|]/g, " ").trim()}.${format.toLowerCase()}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  if (!ready && !edits) return null;

  return (
    <Menu
      label="Captions"
      icon="download"
      look="quiet"
      items={() => [
        ...(ready
          ? [
              { label: "Download as WebVTT", icon: "download" as const, note: "For websites", onPick: () => void download("VTT") },
              { label: "Download as SubRip", icon: "download" as const, note: "For most programs", onPick: () => void download("SRT") },
            ]
          : []),
        ...(ready && edits ? (["line"] as const) : []),
        ...(edits ? [{ label: "Add from a file", icon: "upload" as const, onPick: onAdd }] : []),
      ]}
    />
  );
}

/** The largest file of captions that the server takes. */
const largest = 5 * 1024 * 1024;

/** AddCaptions replaces the words of a clip by those of a file. */
function AddCaptions({ video, onClose }: { video: Video; onClose: (added: boolean) => void }) {
  const client = useClient();
  const clips = video.clips.nodes;
  const [clipId, setClipId] = useState(clips[0]?.id ?? "");
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function add() {
    if (busy) return;
    if (!file) return setProblem("Choose a file that ends in .vtt or .srt.");
    if (file.size > largest) return setProblem("The file is larger than 5 MB.");
    setBusy(true);
    const text = await file.text();
    const { data, error } = await client
      .mutation(PutCaptionsDocument, { clipId, input: { format: /\.srt$/i.test(file.name) ? "SRT" : "VTT", text, ...(navigator.language && { language: document.documentElement.lang || navigator.language }) } })
      .toPromise();
    setBusy(false);
    if (error) return setProblem(messageOf(error));
    const { skippedCount, skipped } = data!.putTranscript;
    toast(skippedCount ? `Captions added. ${count(skippedCount, "part")} of the file cannot be used; the first is at line ${skipped[0]?.line}.` : "Captions added");
    onClose(true);
  }

  return (
    <Dialog
      title="Add from a file"
      onClose={() => onClose(false)}
      actions={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button look="strong" busy={busy} onClick={() => void add()}>
            Add captions
          </Button>
        </>
      }
    >
      <p>The words of the file replace the transcript. Its times are those of the recording, before any cut.</p>
      {clips.length > 1 && <Select label="Part of the video" value={clipId} onPick={setClipId} options={clips.map((clip) => ({ value: clip.id, label: clip.name }))} />}
      <label className={css["file"]}>
        <span>Captions file</span>
        <input
          type="file"
          accept=".vtt,.srt,text/vtt,application/x-subrip"
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            setFile(event.target.files?.[0] ?? null);
            setProblem("");
          }}
        />
      </label>
      {problem && (
        <p role="alert" className={css["problem"]}>
          {problem}
        </p>
      )}
    </Dialog>
  );
}
