// The list of uploads and what may run next. It knows nothing of the network.

export type State =
  | "waiting" // for its turn
  | "sending"
  | "paused" // without a connection; it goes on by itself
  | "finishing" // all bytes are there, the video is being made
  | "done"
  | "failed"
  | "lost"; // the page was reloaded, and the file must be given again

export type Upload = {
  id: string;
  name: string;
  size: number;
  /** The time of the file's last change, by which it is recognized. */
  changed: number;
  state: State;
  sent: number;
  problem?: string;
  sourceId?: string;
  video?: { id: string; link: string };
  /** The browser can find the file again, if the person allows it. */
  findable?: boolean;
};

/** How many are sent at the same time. Browsers open six connections to a server, and others need some. */
export const atOnce = 3;

const running = (upload: Upload) => upload.state === "sending" || upload.state === "paused" || upload.state === "finishing";

/** due returns the uploads to begin now. */
export const due = (all: readonly Upload[]): Upload[] => all.filter((upload) => upload.state === "waiting").slice(0, Math.max(0, atOnce - all.filter(running).length));

/** isBusy reports whether leaving the page would interrupt something. */
export const isBusy = (all: readonly Upload[]): boolean => all.some((upload) => upload.state === "waiting" || running(upload));

/** progress returns how much of all bytes is sent, from 0 to 1. Failed uploads do not count. */
export function progress(all: readonly Upload[]): number {
  const counted = all.filter((upload) => upload.state !== "failed");
  const size = counted.reduce((sum, upload) => sum + upload.size, 0);
  const sent = counted.reduce((sum, upload) => sum + (upload.state === "done" ? upload.size : upload.sent), 0);
  return size ? sent / size : 0;
}

/** recognized pairs lost uploads with files that were chosen again. */
export function recognized<F extends { name: string; size: number; lastModified: number }>(all: readonly Upload[], files: readonly F[]): { pairs: [Upload, F][]; others: F[] } {
  const lost = all.filter((upload) => upload.state === "lost");
  const pairs: [Upload, F][] = [];
  const others: F[] = [];
  for (const file of files) {
    const at = lost.findIndex((upload) => upload.name === file.name && upload.size === file.size && upload.changed === file.lastModified);
    if (at < 0) others.push(file);
    else pairs.push([lost.splice(at, 1)[0]!, file]);
  }
  return { pairs, others };
}

/** summary says in one line how it stands. */
export function summary(all: readonly Upload[]): string {
  const of = (...states: State[]) => all.filter((upload) => states.includes(upload.state)).length;
  const files = (n: number) => `${n} ${n === 1 ? "file" : "files"}`;
  const busy = of("waiting", "sending", "paused", "finishing");
  if (busy) return of("paused") === busy ? "Waiting for the connection" : `Uploading ${files(busy)}`;
  if (of("lost")) return `${files(of("lost"))} to continue`;
  if (of("failed")) return `${files(of("failed"))} failed`;
  return `${files(of("done"))} uploaded`;
}
