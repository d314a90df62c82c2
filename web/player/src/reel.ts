import type { Stream, StreamClip } from "./told";

/**
 * A Reel is what is played, in the time of the edited video, in seconds. It is an EventTarget: "time" whenever
 * the time moved, "state" when it began or ceased to play, "seeked" after a jump, "moved" when it was not asked
 * to jump but others had the video do so (the browser's own controls, keys of a keyboard), "ended", "stuck" and
 * "flowing" when it waits for data and goes on, and "broken".
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
      ["pause", "flowing"], // or what waits for nobody would do so for ever
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
  private target = Number.NaN; // where it was asked to go, until it is there

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
      if (video.ended) this.tell("ended"); // and was not begun again meanwhile
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

/** Span is a piece of a recording that the edit keeps; at is when it is seen. */
interface Span {
  clip: StreamClip;
  from: number;
  to: number;
  at: number;
}

const drift = 0.15; // seconds that a companion may be off
const nearly = 0.05; // seconds before an end that are not yet it

/** Recordings play the sources of a video through its edit: what is cut is jumped over. */
export class Recordings extends Reel {
  private readonly spans: Span[] = [];
  private current = -1;
  private wanted = false; // it should be playing
  private over = false;
  private jumping = false;
  private target = 0; // of the recording, where the jump goes
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
      // To play what has ended, a browser goes to the beginning of that recording first; "play" comes later.
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

  /** watch looks at each frame whether its span is over: timeupdate comes too rarely to cut by it. */
  private watch(): void {
    const look = () => {
      this.step();
      if ("requestVideoFrameCallback" in this.video) this.video.requestVideoFrameCallback(look);
    };
    if ("requestVideoFrameCallback" in this.video) this.video.requestVideoFrameCallback(look);
    this.video.addEventListener("timeupdate", () => this.step());
  }

  /** step goes on behind the end of a span, but not from where others are about to jump to: that is told by "seeking". */
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

  /** rouse looks again when the span is over: a slow machine shows frames so seldom that what was cut would be heard. */
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
      this.settle(); // last, for what is told while a jump is on its way was not watched
      return;
    }
    this.enter(this.current + 1, 0);
  }

  /** settle goes back to the last picture that is kept, for the end may have been noticed behind it. */
  private settle(): void {
    const span = this.spans[this.current];
    // Where the recording itself ended there may be nothing behind: browsers count finer than milliseconds.
    // Who was told of the end may have gone elsewhere.
    if (!span || !this.over || this.video.currentTime < span.to + (this.video.ended ? nearly : 0)) return;
    this.target = Math.max(span.from, span.to - 0.01);
    this.jump();
  }

  /** enter goes to a moment of a span, in whichever recording it is. */
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
    if (this.video.readyState === 0) return; // it is made once the recording is known
    // A clip is as long as the longer of its two recordings. Where the browser went instead would look like somebody's jump,
    // and to play at the very end is to begin anew.
    this.target = Math.min(this.target, Math.max(this.video.duration - nearly, 0));
    this.video.currentTime = this.target;
    if (!this.companion.hidden) this.companion.currentTime = this.target;
    if (this.wanted && this.video.paused) void this.start().catch(() => undefined);
  }

  /** start plays, or says that the browser refused to. A recording that was left for another is no refusal. */
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

  /** heed plays or pauses as others had the video do: as it is now, for the event may be of the recording before. */
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

  /** follow goes on where others have moved the recording to, or in what is kept after that. */
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
      this.companion.load(); // or it would play on
    }
  }

  /** together keeps the camera beside the screen. */
  private together(): void {
    const { video, companion } = this;
    if (companion.hidden) return;
    if (video.currentTime >= companion.duration - (companion.ended ? drift : 0)) return companion.pause(); // to play it would begin it anew
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
    this.companion.muted = this.silent || !clip?.companion?.volume; // a phone may know no volume
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

/** apart tells two times of a recording from each other, which browsers round. None is apart from all. */
function apart(a: number, b: number): boolean {
  return !(Math.abs(a - b) <= 0.01);
}

/** within is the place in a span that is nearest to another, but for its very end, which the next one is near to. */
function within(span: Span, offset: number): number {
  return Math.min(Math.max(offset, 0), Math.max(span.to - span.from - nearly, 0));
}

/** reelOf is what a stream plays; nothing while there is nothing. */
export function reelOf(stream: Stream, video: HTMLVideoElement, companion: HTMLVideoElement, duration: number): Reel | null {
  if (stream.file) return new Film(video, duration, stream.file);
  if (stream.clips?.length) return new Recordings(video, companion, duration, stream.clips);
  return null;
}
