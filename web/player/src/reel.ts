import type { Stream, StreamClip } from "./told";

/**
 * A Reel plays a video in the time of the edited video, in seconds. It is an EventTarget with the events "time" (the
 * time moved), "state" (playback started or stopped), "seeked" (after a jump), "moved" (the browser's controls or
 * media keys jumped, not the page), "ended", "stuck" and "flowing" (it waits for data, and continues), and "broken".
 */
export abstract class Reel extends EventTarget {
  constructor(
    readonly video: HTMLVideoElement,
    readonly duration: number,
  ) {
    super();
    for (const [from, to] of [
      ["play", "state"],
      ["pause", "state"],
      ["waiting", "stuck"],
      ["playing", "flowing"],
      ["canplay", "flowing"],
      ["pause", "flowing"], // a paused video must not stay "stuck"
      ["seeked", "flowing"],
      ["error", "broken"],
      ["progress", "loaded"],
      ["ratechange", "rate"],
    ] as const) {
      video.addEventListener(from, () => this.tell(to));
    }
  }

  protected tell(what: string): void {
    this.dispatchEvent(new Event(what));
  }

  abstract get time(): number;
  abstract seek(to: number): void;
  abstract get playing(): boolean;
  abstract get ended(): boolean;
  abstract play(): Promise<void>;
  abstract pause(): void;
  abstract get loaded(): number;
  set rate(to: number) {
    this.video.playbackRate = to;
    this.video.defaultPlaybackRate = to;
  }
  get rate(): number {
    return this.video.playbackRate;
  }
  abstract set volume(to: number);
  abstract set muted(to: boolean);
}

/** Film is a finished film, whose time is that of the edited video. */
export class Film extends Reel {
  private target = Number.NaN; // target of a seek until it is reached

  constructor(video: HTMLVideoElement, duration: number, file: string) {
    super(video, duration);
    if (video.getAttribute("src") !== file) video.src = file;
    video.addEventListener("seeking", () => {
      if (apart(video.currentTime, this.target)) this.tell("moved");
    });
    video.addEventListener("timeupdate", () => this.tell("time"));
    video.addEventListener("seeked", () => {
      if (!video.seeking) this.target = Number.NaN;
      this.tell("seeked");
    });
    video.addEventListener("ended", () => {
      if (video.ended) this.tell("ended"); // unless it was restarted meanwhile
    });
  }

  get time(): number {
    return this.video.ended ? this.duration : Math.min(this.video.currentTime, this.duration);
  }
  seek(to: number): void {
    this.target = Math.min(Math.max(to, 0), this.duration);
    this.video.currentTime = this.target;
    this.tell("time");
  }
  get playing(): boolean {
    return !this.video.paused && !this.video.ended;
  }
  get ended(): boolean {
    return this.video.ended;
  }
  play(): Promise<void> {
    return this.video.play();
  }
  pause(): void {
    this.video.pause();
  }
  get loaded(): number {
    const { buffered, currentTime } = this.video;
    for (let i = 0; i < buffered.length; i++) {
      if (buffered.start(i) <= currentTime + 0.1 && currentTime <= buffered.end(i) + 0.1) return buffered.end(i);
    }
    return 0;
  }
  set volume(to: number) {
    this.video.volume = to;
  }
  set muted(to: boolean) {
    this.video.muted = to;
  }
}

/** Span is a kept piece of a recording; at is its time in the edited video. */
interface Span {
  clip: StreamClip;
  from: number;
  to: number;
  at: number;
}

const drift = 0.15; // seconds that the companion may be off
const nearly = 0.05; // seconds before the end at which playing does not restart the video

/** Recordings plays the sources of a video through its edit and jumps over the cuts. */
export class Recordings extends Reel {
  private readonly spans: Span[] = [];
  private current = -1;
  private wanted = false; // whether it should be playing
  private over = false;
  private jumping = false;
  private target = 0; // target of the jump in the recording
  private loudness = 1;
  private silent = false;
  private alarm = 0;

  constructor(
    video: HTMLVideoElement,
    private readonly companion: HTMLVideoElement,
    duration: number,
    clips: StreamClip[],
  ) {
    super(video, duration);
    let at = 0;
    for (const clip of clips) {
      for (const [from, to] of clip.spans) {
        this.spans.push({ clip, from: from / 1000, to: to / 1000, at });
        at += (to - from) / 1000;
      }
    }
    video.addEventListener("ended", () => {
      if (video.ended) this.next();
    });
    video.addEventListener("seeking", () => {
      // When an ended recording is played, the browser seeks to its beginning first; "play" comes later.
      if (this.over && !video.paused) this.heed();
      else if (!this.jumping || apart(video.currentTime, this.target)) this.follow();
    });
    video.addEventListener("seeked", () => {
      if (!video.seeking) this.jumping = false;
      this.tell("seeked");
    });
    video.addEventListener("play", () => this.heed());
    video.addEventListener("pause", () => this.heed());
    video.addEventListener("ratechange", () => this.together());
    video.addEventListener("waiting", () => this.companion.pause());
    video.addEventListener("playing", () => this.together());
    this.enter(0, 0);
    this.watch();
  }

  /** watch checks in each frame whether the span is over; timeupdate events are too rare for this. */
  private watch(): void {
    const look = () => {
      this.step();
      if ("requestVideoFrameCallback" in this.video) this.video.requestVideoFrameCallback(look);
    };
    if ("requestVideoFrameCallback" in this.video) this.video.requestVideoFrameCallback(look);
    this.video.addEventListener("timeupdate", () => this.step());
  }

  /** step continues after the end of a span, but not if a jump from outside is about to happen; "seeking" reports
   * that. */
  private step(): void {
    const span = this.spans[this.current];
    if (!span || this.jumping || this.over || this.video.seeking) return;
    if (this.video.currentTime >= span.to - 0.01) this.next();
    else {
      this.tell("time");
      this.rouse(span);
    }
    this.together();
  }

  /** rouse sets a timer for the end of the span: a slow machine shows frames so rarely that cut sound would be
   * heard. */
  private rouse(span: Span): void {
    const left = (span.to - this.video.currentTime) / this.video.playbackRate;
    clearTimeout(this.alarm);
    if (!this.video.paused && left < 0.5) this.alarm = window.setTimeout(() => this.step(), Math.max(left * 1000, 10));
  }

  private next(): void {
    if (this.over) return;
    if (this.current + 1 >= this.spans.length) {
      this.over = true;
      this.wanted = false;
      this.video.pause();
      this.tell("time");
      this.tell("state");
      this.tell("ended");
      this.settle(); // last: events during a jump do not count as watched
      return;
    }
    this.enter(this.current + 1, 0);
  }

  /** settle seeks back to the last kept picture, because the end may have been noticed too late. */
  private settle(): void {
    const span = this.spans[this.current];
    // At the end of the recording itself there may be nothing after the span, because browsers round more finely than
    // milliseconds. A listener of "ended" may have jumped elsewhere.
    if (!span || !this.over || this.video.currentTime < span.to + (this.video.ended ? nearly : 0)) return;
    this.target = Math.max(span.from, span.to - 0.01);
    this.jump();
  }

  /** enter seeks to a moment of a span, in whichever recording it is. */
  private enter(index: number, offset: number): void {
    const span = this.spans[index];
    if (!span) return;
    const other = this.spans[this.current]?.clip !== span.clip;
    const to = span.from + offset;
    const adjoining = !other && Math.abs(this.video.currentTime - to) < 0.02;
    this.current = index;
    this.over = false;
    this.target = to;
    if (other) {
      const { playbackRate } = this.video;
      this.jumping = true;
      this.video.src = span.clip.main.url;
      this.video.playbackRate = playbackRate;
      this.accompany(span.clip);
      this.apply();
      this.video.addEventListener("loadedmetadata", () => this.jump(), { once: true });
      if (this.wanted) void this.start().catch(() => undefined);
    } else if (!adjoining) {
      this.jump();
    }
  }

  private jump(): void {
    this.jumping = true;
    if (this.video.readyState === 0) return; // the jump is made once the metadata is loaded
    // A clip is as long as the longer of its two recordings. A target beyond the shorter one would be clamped and look
    // like a jump from outside, and playing at the very end would restart it.
    this.target = Math.min(this.target, Math.max(this.video.duration - nearly, 0));
    this.video.currentTime = this.target;
    if (!this.companion.hidden) this.companion.currentTime = this.target;
    if (this.wanted && this.video.paused) void this.start().catch(() => undefined);
  }

  /** start plays, or reports that the browser refused. Switching to another recording is not a refusal. */
  private async start(): Promise<void> {
    try {
      await this.video.play();
    } catch (refused) {
      if (this.video.paused) {
        this.wanted = false;
        this.tell("state");
      }
      throw refused;
    }
  }

  /** heed follows a play or pause from outside. It reads the current state, because the event may belong to the
   * previous recording. */
  private heed(): void {
    const playing = !this.video.paused;
    if (playing && this.over) {
      this.wanted = true;
      this.enter(0, 0);
      this.tell("moved");
      this.tell("state");
    } else if (playing !== this.wanted && !this.over && !this.video.ended) {
      this.wanted = playing;
      this.tell("state");
    }
    this.together();
  }

  /** follow continues where a jump from outside led, or in the next kept part after that. */
  private follow(): void {
    const clip = this.spans[this.current]?.clip;
    if (!clip) return;
    const to = this.video.currentTime;
    let index = this.spans.findIndex((s) => s.clip === clip && to < s.to);
    if (index < 0) index = this.spans.map((s) => s.clip).lastIndexOf(clip);
    const span = this.spans[index];
    if (!span) return;
    this.enter(index, within(span, to - span.from));
    this.tell("moved");
  }

  private accompany(clip: StreamClip): void {
    this.companion.hidden = !clip.companion;
    if (clip.companion) this.companion.src = clip.companion.url;
    else {
      this.companion.removeAttribute("src");
      this.companion.load(); // otherwise it would keep playing
    }
  }

  /** together keeps the camera in sync with the screen. */
  private together(): void {
    const { video, companion } = this;
    if (companion.hidden) return;
    if (video.currentTime >= companion.duration - (companion.ended ? drift : 0)) return companion.pause(); // playing would restart it
    companion.playbackRate = video.playbackRate;
    if (!this.jumping && Math.abs(companion.currentTime - video.currentTime) > drift && companion.readyState > 1 && !companion.seeking) {
      companion.currentTime = video.currentTime;
    }
    if (video.paused !== companion.paused) {
      if (video.paused) companion.pause();
      else void companion.play().catch(() => undefined);
    }
  }

  get time(): number {
    const span = this.spans[this.current];
    if (!span || this.over) return this.over ? this.duration : 0;
    if (this.jumping) return span.at + Math.max(0, this.target - span.from);
    return Math.min(span.at + Math.max(0, this.video.currentTime - span.from), span.at + span.to - span.from);
  }
  seek(to: number): void {
    const at = Math.min(Math.max(to, 0), this.duration);
    let index = this.spans.findIndex((s) => at < s.at + s.to - s.from);
    if (index < 0) index = this.spans.length - 1;
    const span = this.spans[index];
    if (!span) return;
    this.enter(index, within(span, at - span.at));
    this.tell("time");
  }
  get playing(): boolean {
    return this.wanted && !this.over;
  }
  get ended(): boolean {
    return this.over;
  }
  async play(): Promise<void> {
    if (this.over) this.enter(0, 0);
    this.wanted = true;
    await this.start();
  }
  pause(): void {
    this.wanted = false;
    this.video.pause();
  }
  get loaded(): number {
    return 0;
  }

  private apply(): void {
    const clip = this.spans[this.current]?.clip;
    this.video.volume = Math.min(1, this.loudness * (clip?.main.volume ?? 1));
    this.video.muted = this.silent;
    this.companion.volume = Math.min(1, this.loudness * (clip?.companion?.volume ?? 0));
    this.companion.muted = this.silent || !clip?.companion?.volume; // phones may ignore the volume
  }
  set volume(to: number) {
    this.loudness = to;
    this.apply();
  }
  set muted(to: boolean) {
    this.silent = to;
    this.apply();
  }
}

/** apart reports whether two times of a recording differ by more than rounding. A missing time differs from all. */
function apart(a: number, b: number): boolean {
  return !(Math.abs(a - b) <= 0.01);
}

/** within clamps a time to a span, except its very end, which belongs to the next span. */
function within(span: Span, offset: number): number {
  return Math.min(Math.max(offset, 0), Math.max(span.to - span.from - nearly, 0));
}

/** reelOf returns the reel of a stream, or null if there is nothing to play. */
export function reelOf(stream: Stream, video: HTMLVideoElement, companion: HTMLVideoElement, duration: number): Reel | null {
  if (stream.file) return new Film(video, duration, stream.file);
  if (stream.clips?.length) return new Recordings(video, companion, duration, stream.clips);
  return null;
}
