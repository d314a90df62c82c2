import { Upload as Tus, type DetailedError } from "tus-js-client";
import type { Client, CombinedError } from "urql";

import { videosMade } from "../app/videos";
import { here } from "../graph/address";
import { codeOf, messageOf } from "../graph/errors";
import { isRecording, type Chosen } from "./files";
import { AddUploadedVideoDocument, CreateSourceDocument, CreateVideoDocument, DeleteSourceDocument, UploadAddressDocument } from "./made/graphql";
import { due, isBusy, recognized, type State, type Upload } from "./queue";
import { forget, keep, kept, type Stored } from "./stored";

type Job = { upload: Upload; stored: Stored; file: File | null; stop: (() => void) | null; release: () => void };

/** A failure that a later try does not mend. */
class Final extends Error {}

const wait = 15_000; // between tries without a connection
const chunk = 32 * 1024 * 1024;

/** Uploads sends files, at most three at a time, and makes a video of each. */
export class Uploads {
  #client: Client;
  #owner: string;
  #jobs: Job[] = [];
  #shown: readonly Upload[] = [];
  #listeners = new Set<() => void>();
  #telling = 0;

  constructor(client: Client, owner: string) {
    this.#client = client;
    this.#owner = owner;
    addEventListener("beforeunload", (event) => {
      if (isBusy(this.now())) event.preventDefault();
    });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  now = (): readonly Upload[] => this.#shown;

  /** add begins uploads, or continues lost ones whose files these are. It returns how many are no videos. */
  async add(chosen: readonly Chosen[], playlistId: string | null): Promise<number> {
    const { pairs, others } = recognized(this.now(), chosen.map(({ file }) => file));
    for (const [upload, file] of pairs) this.#continue(this.#jobOf(upload.id)!, file);

    let refused = 0;
    for (const file of others) {
      if (!isRecording(file)) {
        refused++;
        continue;
      }
      const { handle } = chosen.find((one) => one.file === file)!;
      const id = newID();
      const stored: Stored = { id, owner: this.#owner, name: file.name, size: file.size, changed: file.lastModified, ...(playlistId && { playlistId }), ...(handle && { handle }) };
      const release = await holding(id);
      if (!release) continue;
      this.#jobs.push({ upload: { id, name: file.name, size: file.size, changed: file.lastModified, state: "waiting", sent: 0 }, stored, file, stop: null, release });
    }
    this.#next();
    return refused;
  }

  /** restore lists what an earlier page did not finish, unless another tab is at it. */
  async restore(): Promise<void> {
    for (const stored of await kept(this.#owner)) {
      const release = await holding(stored.id);
      if (!release) continue;
      const { id, name, size, changed, handle, sourceId } = stored;
      this.#jobs.push({ upload: { id, name, size, changed, state: "lost", sent: 0, ...(sourceId && { sourceId }), findable: !!handle }, stored, file: null, stop: null, release });
    }
    this.#tell();
  }

  /** resume continues the lost uploads whose files the browser can find again. It asks the person, so it needs a click. */
  async resume(): Promise<void> {
    for (const job of this.#jobs.filter(({ upload, stored }) => upload.state === "lost" && stored.handle)) {
      const handle = job.stored.handle!;
      try {
        if ((await handle.requestPermission?.({ mode: "read" })) === "denied") continue;
        this.#continue(job, await handle.getFile());
      } catch {
        job.upload = { ...job.upload, findable: false }; // moved or deleted; it can still be chosen
      }
    }
    this.#next();
  }

  retry(id: string): void {
    const job = this.#jobOf(id);
    if (!job || job.upload.state !== "failed") return;
    this.#set(job, { state: job.file ? "waiting" : "lost" });
    this.#next();
  }

  /** cancel ends an upload and deletes what has arrived. A finished one only leaves the list. */
  async cancel(id: string): Promise<void> {
    const job = this.#jobOf(id);
    if (!job) return;
    this.#jobs = this.#jobs.filter((other) => other !== job);
    job.stop?.();
    job.release();
    this.#next();
    await forget(id);
    if (job.upload.state !== "done" && job.upload.state !== "finishing" && job.stored.sourceId) await this.#client.mutation(DeleteSourceDocument, { id: job.stored.sourceId }).toPromise();
  }

  /** clear takes the finished uploads off the list. */
  clear(): void {
    this.#jobs = this.#jobs.filter(({ upload }) => upload.state !== "done");
    this.#tell();
  }

  #jobOf = (id: string) => this.#jobs.find((job) => job.upload.id === id);

  #continue(job: Job, file: File): void {
    job.file = file;
    this.#set(job, { state: "waiting" });
    this.#next();
  }

  #next(): void {
    for (const { id } of due(this.#jobs.map(({ upload }) => upload))) void this.#run(this.#jobOf(id)!);
    this.#tell();
  }

  async #run(job: Job): Promise<void> {
    this.#set(job, { state: "sending" });
    try {
      while (this.#jobs.includes(job) && !(await this.#attempt(job)));
    } catch (error) {
      if (!(error instanceof Final)) throw error;
      this.#set(job, { state: "failed", problem: error.message });
    }
    this.#next();
  }

  /** Tries to bring an upload to its end. It returns false if another try may. */
  async #attempt(job: Job): Promise<boolean> {
    try {
      const address = await this.#address(job);
      if (!this.#jobs.includes(job)) return true;
      if (address) await this.#send(job, address);
      await this.#finish(job);
      return true;
    } catch (error) {
      if (error instanceof Final || !this.#jobs.includes(job)) throw error instanceof Final ? error : new Final();
      this.#set(job, { state: "paused" });
      await connection(wait);
      this.#set(job, { state: "sending" });
      return false;
    }
  }

  /** The address to send to; null if all bytes are there. */
  async #address({ stored, file }: Job): Promise<string | null> {
    if (!stored.sourceId) {
      const input = { name: file!.name.slice(0, 255), bytes: file!.size, ...(file!.type && { contentType: file!.type }) };
      const { data, error } = await this.#client.mutation(CreateSourceDocument, { input }).toPromise();
      if (error) throw failure(error);
      stored.sourceId = data!.createSource.source.id;
      await keep(stored);
      return data!.createSource.uploadUrl;
    }

    const { data, error } = await this.#client.query(UploadAddressDocument, { id: stored.sourceId }, { requestPolicy: "network-only" }).toPromise();
    if (error && codeOf(error) === "not_found") delete stored.sourceId; // swept; it begins anew
    if (error) throw failure(error);
    return data?.source?.uploadUrl ?? null;
  }

  #send(job: Job, address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const tus = new Tus(job.file!, {
        uploadUrl: here(address),
        uploadSize: job.file!.size,
        chunkSize: chunk,
        retryDelays: [500, 1_000, 2_000, 4_000],
        storeFingerprintForResuming: false,
        onProgress: (sent) => this.#set(job, { sent, state: "sending" }),
        onSuccess: () => resolve(),
        onError: (error) => {
          const status = (error as DetailedError).originalResponse?.getStatus() ?? 0;
          const text = (error as DetailedError).originalResponse?.getBody();
          // A signature that ran out, or bytes that are there already, are found out by asking for the address again.
          reject(status >= 400 && status < 500 && ![403, 408, 409, 423, 429].includes(status) ? new Final(said(text)) : error);
        },
      });
      job.stop = () => {
        void tus.abort();
        reject(new Final());
      };
      tus.start();
    });
  }

  /** Makes the video, once even if the answer is lost. */
  async #finish(job: Job): Promise<void> {
    const { stored, upload } = job;
    this.#set(job, { state: "finishing", sent: upload.size });

    const now = await this.#client.query(UploadAddressDocument, { id: stored.sourceId! }, { requestPolicy: "network-only" }).toPromise();
    if (now.error) throw failure(now.error);
    if (now.data?.source?.status === "FAILED") throw new Final(now.data.source.error?.message ?? "The file is not a video that this server can read.");

    const headers = { Accept: "application/graphql-response+json, application/json", "Idempotency-Key": `upload-${stored.id}` };
    const { data, error } = await this.#client.mutation(CreateVideoDocument, { input: { sourceId: stored.sourceId!, whenReady: true } }, { fetchOptions: { headers } }).toPromise();
    if (error) throw failure(error);

    const { video } = data!.createVideo;
    if (stored.playlistId) await this.#client.mutation(AddUploadedVideoDocument, { playlistId: stored.playlistId, videoId: video.id }).toPromise();
    await forget(stored.id);
    job.release();
    this.#set(job, { state: "done", video: { id: video.id, link: video.links.viewPage } });
    videosMade();
  }

  #set(job: Job, change: Partial<Upload> & { state?: State }): void {
    job.upload = { ...job.upload, ...change };
    // Progress comes many times a second.
    this.#telling ||= window.setTimeout(() => this.#tell(), change.sent === undefined ? 0 : 150);
  }

  #tell(): void {
    clearTimeout(this.#telling);
    this.#telling = 0;
    this.#shown = this.#jobs.map(({ upload }) => upload);
    for (const listener of [...this.#listeners]) listener();
  }
}

/** newID is random. Over plain HTTP browsers have no randomUUID. */
const newID = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** failure tells what a later try may mend from what it does not. */
function failure(error: CombinedError): Error {
  return ["offline", "rate_limited", "unavailable", "server_error", "not_found"].includes(codeOf(error)) ? error : new Final(messageOf(error));
}

/** said returns the message of the server in an answer to an upload. */
function said(body: string | undefined): string {
  try {
    return (JSON.parse(body ?? "") as { message: string }).message;
  } catch {
    return "The server refused the file.";
  }
}

/** connection waits until the browser is online again, or for a while. */
function connection(most: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, most);
    addEventListener("online", done);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    }
  });
}

/** holding makes an upload this tab's own. It returns how to let go of it, or null if another tab has it. */
function holding(id: string): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => undefined);
  return new Promise((resolve) => {
    void navigator.locks.request(`reelgraph-upload-${id}`, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise<void>((release) => resolve(release));
    });
  });
}
