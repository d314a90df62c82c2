import type { Reel } from "./reel";

/** A playback event of the contract. */
interface Happened {
  type: "open" | "play" | "progress" | "pause" | "seek" | "ended";
  atMs: number;
  fromSeconds?: number;
  toSeconds?: number;
  rate?: number;
}

interface Numbered {
  seq: number;
  events: Happened[];
}

/**
 * Kept is a session stored in its tab, so that a reload continues it. A duplicated tab copies it, so a session only
 * continues after its page has released it. Otherwise two pages would use the same report numbers.
 */
interface Kept {
  token: string;
  seq: number;
  lastMs: number;
  released: boolean;
}

const every = 10_000; // ms of playback between reports
const goesOn = 60 * 60_000; // ms after which a session ends
const most = 500; // maximum number of events in a report
const lag = 2000; // ms that the start of playback may take
const patience = [1000, 3000, 10_000, 30_000];

/**
 * Reporter reports what is watched. Reports are numbered and repeated under their number until acknowledged; the
 * server counts each number once. What is left when the page closes is sent by a beacon.
 */
export class Reporter {
  private events: Happened[] = [];
  private unheard: Numbered[] = [];
  private sending = false;
  private failures = 0;
  private begun: number | null = null; // start of the range being played
  private last = 0; // current end of that range
  private from: number | null = null; // start of the next range, if known before playback starts
  private frame = 0; // requested animation frame
  private rate = 1; // playback rate of that range
  private asked = -Infinity; // when play was requested, by the page's clock: the server's time may be learned meanwhile
  private token: string;
  private readonly fresh: string;
  private seq = 0;
  private released = false;
  private readonly key: string;

  constructor(
    video: string,
    token: string,
    private origin: number,
    private readonly reel: Reel,
  ) {
    this.key = "reelgraph.session." + video;
    this.token = token;
    this.fresh = token;
    this.takeUp();

    this.note({ type: "open" });
    this.flush();

    reel.addEventListener("time", () => this.tick()); // hidden pages have no animation frames
    reel.addEventListener("moved", () => this.jump(reel.time, this.last));
    reel.addEventListener("state", () => (reel.playing ? this.start() : this.stop("pause")));
    reel.addEventListener("ended", () => this.stop("ended"));
    setInterval(() => {
      if (this.begun !== null) this.progress();
      this.flush();
    }, every);
    addEventListener("pagehide", () => {
      this.released = true;
      this.leave();
    });
    addEventListener("pageshow", (shown) => {
      if (!shown.persisted) return; // the page was restored, and another may have continued the session
      this.takeUp();
      this.released = false;
      this.keep();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.leave();
    });
  }

  /** jump reports a seek before the time moves, or afterwards, with the time where it began. */
  jump(to: number, from = this.reel.time): void {
    if (this.begun !== null) {
      this.range("progress", from);
      this.begun = to;
    } else {
      this.from = to;
    }
    this.last = to;
    this.note({ type: "seek", fromSeconds: round(from), toSeconds: round(to) });
  }

  /** soon reports that playback starts here and now; a busy page gets that event late. */
  soon(): void {
    if (this.begun !== null) return; // the pause was too short to be noticed
    this.asked = performance.now();
    this.from ??= this.reel.time;
  }

  /** changeRate ends the range, because each range has one rate. */
  changeRate(): void {
    if (this.begun !== null) this.progress();
    this.rate = this.reel.rate;
  }

  private start(): void {
    if (this.begun !== null) return;
    this.begun = this.from ?? this.reel.time;
    this.last = this.begun;
    this.from = null;
    this.follow();
    this.rate = this.reel.rate;
    const late = performance.now() - this.asked;
    this.note({ type: "play", fromSeconds: round(this.begun), rate: this.rate }, late < lag ? Math.floor(this.origin + this.asked) : this.now);
    this.asked = -Infinity;
    this.flush();
  }

  /** follow ticks in each frame. Time updates are rare, and late on a busy page, so jumps from outside would seem
   * to start elsewhere. */
  private follow(): void {
    this.tick();
    this.frame = requestAnimationFrame(() => this.follow());
  }

  private tick(): void {
    // The target of a jump in progress was not played; "moved" may come after some "time" events. Everything else was,
    // even if no event came for long: a film keeps playing while its page hangs.
    if (this.begun === null || this.reel.video.seeking) return;
    this.last = Math.max(this.begun, this.reel.time);
  }

  private stop(type: "pause" | "ended"): void {
    if (this.begun === null) return;
    this.tick();
    this.range(type, type === "ended" ? this.reel.duration : this.last);
    this.begun = null;
    cancelAnimationFrame(this.frame);
    this.flush();
  }

  private progress(): void {
    this.tick();
    this.range("progress", this.last);
    this.begun = this.last;
  }

  private range(type: Happened["type"], to: number): void {
    const from = this.begun ?? to;
    this.note({ type, fromSeconds: round(from), toSeconds: round(Math.max(from, to)), rate: this.rate });
  }

  private note(event: Omit<Happened, "atMs">, atMs = this.now): void {
    this.events.push({ ...event, atMs });
  }

  /** now is the server's time, because the viewer's clock may be minutes off. */
  private get now(): number {
    return Math.floor(this.origin + performance.now());
  }

  /** hear learns the time from a response, because the page may have been cached or suspended. */
  private hear(answer: Response): void {
    const said = Date.parse(answer.headers.get("Date") ?? "") || 0;
    this.origin = Math.max(this.origin, said - performance.now());
  }

  private flush(): void {
    while (this.events.length) this.unheard.push({ seq: ++this.seq, events: this.events.splice(0, most) });
    this.keep();
    void this.send();
  }

  private async send(): Promise<void> {
    const report = this.unheard[0];
    if (!report || this.sending) return;
    this.sending = true;
    try {
      const answer = await fetch("/playback/" + this.token, {
        method: "POST",
        headers: { "Content-Type": "text/plain" },
        body: JSON.stringify(report),
        keepalive: true,
        credentials: "omit",
      });
      this.hear(answer);
      if (answer.ok) {
        this.unheard.shift();
        this.failures = 0;
        this.token = ((await answer.json()) as { viewToken: string }).viewToken;
        this.keep();
      } else if (answer.status === 403 && this.token !== this.fresh) {
        this.token = this.fresh; // the token of the tab's previous page has expired: a new session
        this.seq = 0;
        for (const anew of this.unheard) anew.seq = ++this.seq;
      } else if (answer.status < 500 && answer.status !== 429) {
        this.unheard.shift(); // the server will never accept it
      } else {
        this.failures++;
      }
    } catch {
      this.failures++;
    }
    this.sending = false;
    if (!this.unheard.length) return;
    const wait = this.failures ? patience[Math.min(this.failures, patience.length) - 1] : 0;
    setTimeout(() => void this.send(), wait);
  }

  /** leave sends, under their numbers, the reports that could not be sent later. */
  private leave(): void {
    if (this.begun !== null) this.progress();
    while (this.events.length) this.unheard.push({ seq: ++this.seq, events: this.events.splice(0, most) });
    this.keep();
    for (const report of this.unheard) {
      navigator.sendBeacon("/playback/" + this.token, new Blob([JSON.stringify(report)], { type: "text/plain" }));
    }
  }

  /** takeUp continues a session released by this page or another. */
  private takeUp(): void {
    const kept = this.kept();
    if (!kept?.released || Date.now() - kept.lastMs >= goesOn) return;
    this.token = kept.token;
    this.seq = kept.seq;
  }

  private kept(): Kept | null {
    try {
      return JSON.parse(sessionStorage.getItem(this.key) ?? "null") as Kept | null;
    } catch {
      return null;
    }
  }

  private keep(): void {
    try {
      const kept: Kept = { token: this.token, seq: this.seq, lastMs: Date.now(), released: this.released };
      sessionStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      // storage refused: a reload is a new session
    }
  }
}

function round(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000) / 1000);
}
