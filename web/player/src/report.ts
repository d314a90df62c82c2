import type { Reel } from "./reel";

/** What the server hears of what is watched; see the contract's playback events. */
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
 * Kept is a session as its tab keeps it, so that a reload goes on with it. A tab that is duplicated copies it:
 * only one that its page has released is gone on with, or two pages would number their reports alike.
 */
interface Kept {
  token: string;
  seq: number;
  lastMs: number;
  released: boolean;
}

const every = 10_000; // ms of playing between reports
const goesOn = 60 * 60_000; // ms after which a session is over
const most = 500; // events of one report
const lag = 2000; // ms that it may take until playing begins
const patience = [1000, 3000, 10_000, 30_000];

/**
 * Reporter says what is watched. Reports are numbered and are sent again, under their number, until they are
 * acknowledged: the server counts each number once. Whatever is left when the page goes is sent by a beacon.
 */
export class Reporter {
  private events: Happened[] = [];
  private unheard: Numbered[] = [];
  private sending = false;
  private failures = 0;
  private begun: number | null = null; // where the range began that is being played
  private last = 0; // where it has come to
  private from: number | null = null; // where the next range begins, if that is known before playing is
  private frame = 0; // that is asked for
  private rate = 1; // of that range
  private asked = -Infinity; // when playing was asked for, by the page's clock: the server's may be learnt meanwhile
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

    reel.addEventListener("time", () => this.tick()); // a page that is hidden has no frames
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
      if (!shown.persisted) return; // or the page is back, and another may have gone on meanwhile
      this.takeUp();
      this.released = false;
      this.keep();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.leave();
    });
  }

  /** jump tells of a seek, before the time moves; or after, of whence. */
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

  /** soon says that playing begins now and here, of which a busy page hears late. */
  soon(): void {
    if (this.begun !== null) return; // it was paused for so short that nobody heard of it
    this.asked = performance.now();
    this.from ??= this.reel.time;
  }

  /** changeRate ends a range: each has one rate. */
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

  /** follow ticks at each frame: of the time a page is told rarely, and late where it is busy, so that others would jump from elsewhere. */
  private follow(): void {
    this.tick();
    this.frame = requestAnimationFrame(() => this.follow());
  }

  private tick(): void {
    // A jump that is on its way is not what was played; its "moved" comes later than some "time". All else is, however
    // long nothing was told: a film goes on while its page hangs.
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

  /** now is the server's time: the viewer's own may be minutes off. */
  private get now(): number {
    return Math.floor(this.origin + performance.now());
  }

  /** hear learns the time from an answer, as the page may be one that was kept, or may have slept. */
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
        this.token = this.fresh; // that of the tab's last page is over: this is another session
        this.seq = 0;
        for (const anew of this.unheard) anew.seq = ++this.seq;
      } else if (answer.status < 500 && answer.status !== 429) {
        this.unheard.shift(); // it is never taken
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

  /** leave sends what nobody may be there to send later, numbered as it is. */
  private leave(): void {
    if (this.begun !== null) this.progress();
    while (this.events.length) this.unheard.push({ seq: ++this.seq, events: this.events.splice(0, most) });
    this.keep();
    for (const report of this.unheard) {
      navigator.sendBeacon("/playback/" + this.token, new Blob([JSON.stringify(report)], { type: "text/plain" }));
    }
  }

  /** takeUp goes on with a session that was released, by this page or another. */
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
      // a reload is another session then
    }
  }
}

function round(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000) / 1000);
}
