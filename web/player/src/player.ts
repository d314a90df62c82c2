import { Captions } from "./captions";
import { clock, find, need, remember, remembered, spoken, startOf } from "./dom";
import { peek } from "./peek";
import { type Reel, reelOf } from "./reel";
import { Reporter } from "./report";
import type { Stream, Told } from "./told";
import { transcript } from "./transcript";

const asksAgain = 4000; // ms between checks whether a film is ready
const hidesAfter = 2600; // ms without movement until the controls hide
const small = 5; // seconds for an arrow key
const large = 10; // seconds for j and l

/** Player is the player of a page: its buttons, its keys, and everything that follows its time. */
export class Player {
  private readonly told: Told;
  private readonly origin: number; // start of the page's clock in server time
  private readonly stage: HTMLElement;
  private readonly video: HTMLVideoElement;
  private readonly controls: HTMLElement;
  private readonly position: HTMLInputElement;
  private readonly begin: HTMLButtonElement;
  private readonly notice: HTMLElement;
  private readonly wait: HTMLElement;
  private reel: Reel | null = null;
  private reporter: Reporter | null = null;
  private captions: Captions | null = null;
  private followers: ((now: number) => void)[] = [];
  private idle = 0;
  private held: string | null = null; // value of the seek bar when a drag began
  private resume = false;

  constructor(private readonly root: HTMLElement) {
    this.told = JSON.parse(need(root, ".reel").textContent ?? "") as Told;
    this.origin = this.told.nowMs - performance.now();
    this.stage = need(root, ".stage");
    this.video = need(root, "video");
    this.controls = need(root, ".controls");
    this.position = need(root, ".position");
    this.begin = need(root, ".begin");
    this.notice = need(root, ".notice");
    this.wait = need(root, ".wait");

    this.stage.style.setProperty("--ratio", this.stage.dataset.ratio ?? "16 / 9");
    this.video.controls = false;
    this.open(this.told.stream);
  }

  get duration(): number {
    return this.told.durationMs / 1000;
  }
  get time(): number {
    return this.reel?.time ?? 0;
  }

  /** open starts a stream, or waits for one. */
  private open(stream: Stream): void {
    const reel = reelOf(stream, this.video, need(this.root, ".companion"), this.duration);
    if (!reel) {
      if (stream.progress >= 0) this.ask(stream.progress);
      else this.notice.textContent = "This video cannot be played right now.";
      return;
    }
    this.reel = reel;
    this.notice.hidden = true;
    this.reporter = new Reporter(this.told.video, this.told.token, this.origin, reel);
    this.listen(reel);
    this.dress();
    this.bind();
    this.update();
  }

  private ask(progress: number): void {
    if (progress > 0) this.notice.textContent = `This video is being prepared: ${progress} %. It begins here as soon as it is ready.`;
    setTimeout(() => {
      void fetch(this.told.streamAt)
        .then((answer) => (answer.ok ? (answer.json() as Promise<Stream>) : { progress: 0 }))
        .then((stream) => this.open(stream))
        .catch(() => this.ask(0));
    }, asksAgain);
  }

  private listen(reel: Reel): void {
    reel.addEventListener("time", () => this.update());
    reel.addEventListener("state", () => this.update());
    reel.addEventListener("loaded", () => this.update());
    reel.addEventListener("ended", () => {
      this.update();
      if (this.told.next) this.goOn(this.told.next);
    });
    reel.addEventListener("stuck", () => (this.wait.hidden = false));
    reel.addEventListener("flowing", () => (this.wait.hidden = true));
    reel.addEventListener("broken", () => {
      this.wait.hidden = true;
      this.notice.textContent = "This video cannot be played. Load the page again to try once more.";
      this.notice.hidden = false;
    });
    reel.addEventListener("rate", () => {
      this.reporter?.changeRate();
      this.offer(reel.rate);
    });
  }

  /** offer adds a rate to the choices, in order. */
  private offer(rate: number): void {
    const select = need<HTMLSelectElement>(this.root, "[data-do=rate]");
    const options = Array.from(select.options);
    if (!options.some((o) => Number(o.value) === rate)) {
      const label = `${Number(rate.toFixed(2))}×`;
      select.add(new Option(label, String(rate)), options.find((o) => Number(o.value) > rate) ?? null);
    }
    select.value = String(rate);
  }

  private goOn(next: string): void {
    location.assign(next + (next.includes("?") ? "&" : "?") + "play=1");
  }

  /** dress shows the controls that the video and the viewer want. */
  private dress(): void {
    const { root, told, reel } = this;
    if (!reel) return;
    this.controls.hidden = false;
    this.begin.hidden = false;
    this.position.max = String(this.duration);
    root.classList.add("ready");

    const marks = need(root, ".marks");
    for (const chapter of told.chapters) {
      const at = chapter.atMs / told.durationMs;
      if (at <= 0 || at >= 1) continue;
      const mark = document.createElement("i");
      mark.style.left = `${at * 100}%`;
      marks.append(mark);
    }

    const chosen = Number(remembered("rate") ?? Number.NaN);
    const rate = chosen >= 0.5 && chosen <= 2 && told.rate === 1 ? chosen : told.rate;
    this.offer(rate);
    reel.rate = rate;

    const loudness = need<HTMLInputElement>(root, ".loudness");
    loudness.value = remembered("volume") ?? "1";
    reel.volume = Number(loudness.value);
    this.mute(Number(loudness.value) === 0);

    const track = find<HTMLTrackElement>(root, "track");
    if (track) {
      this.captions = new Captions(track, need(root, ".captions"), told, () => this.time);
      const wanted = remembered("captions");
      this.turnCaptions(!told.burnedWords && (told.captions || wanted === "on") && wanted !== "off");
      this.followers.push(() => this.captions?.draw());
      this.smooth();
    }

    const pip = find<HTMLButtonElement>(root, "[data-do=pip]");
    if (pip) pip.hidden = !document.pictureInPictureEnabled;

    peek(need(root, ".seek"), told, this.video.width / this.video.height);

    const panel = document.querySelector<HTMLElement>("[data-transcript]");
    if (panel && told.transcript) this.followers.push(transcript(panel, told.transcript, (to) => this.seek(to, true)));

    this.chapters();

    const query = new URLSearchParams(location.search);
    const from = startOf(new URLSearchParams(location.hash.slice(1)).get("t") ?? query.get("t") ?? "");
    if (from > 0) this.seek(from);
    if (query.get("play") === "1") void this.play();
    if (remembered("theatre") === "on") this.turnTheatre(true);
  }

  /** smooth draws captions in each frame while they are on, because words change faster than time updates arrive. */
  private smooth(): void {
    const draw = () => {
      if (this.reel?.playing) this.captions?.draw();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  }

  private chapters(): void {
    const links = Array.from(document.querySelectorAll<HTMLAnchorElement>(".chapters [data-seek]"));
    this.followers.push((now) => {
      let current: HTMLAnchorElement | null = null;
      for (const link of links) if (Number(link.dataset.seek) <= now + 0.05) current = link;
      for (const link of links) {
        if (link === current) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    });
    const label = need(this.root, ".chapter");
    this.followers.push((now) => {
      let title = "";
      for (const chapter of this.told.chapters) if (chapter.atMs / 1000 <= now + 0.05) title = chapter.title;
      if (label.textContent !== title) label.textContent = title;
    });
  }

  /** update shows the current time of the video. */
  private update(): void {
    const { reel, root } = this;
    if (!reel) return;
    const now = this.held === null ? reel.time : Number(this.position.value);
    const percent = (part: number) => `${Math.min(100, (part / this.duration) * 100)}%`;
    if (this.held === null) this.position.value = String(now);
    this.position.setAttribute("aria-valuetext", `${spoken(now)} of ${spoken(this.duration)}`);
    need(root, ".done").style.width = percent(now);
    need(root, ".loaded").style.width = percent(reel.loaded);
    need(root, ".now").textContent = clock(now);

    const play = need(root, "[data-do=play]");
    const [label, icon] = reel.ended ? ["Play again", "#i-replay"] : reel.playing ? ["Pause", "#i-pause"] : ["Play", "#i-play"];
    if (play.getAttribute("aria-label") !== label) {
      play.setAttribute("aria-label", label);
      need(play, "use").setAttribute("href", icon);
    }
    root.classList.toggle("playing", reel.playing);
    this.begin.hidden = reel.playing || now > 0;
    if (!reel.playing) this.wake();
    for (const follow of this.followers) follow(now);
    root.dispatchEvent(new CustomEvent("reel:time", { detail: now, bubbles: true }));
  }

  async play(): Promise<void> {
    const { reel } = this;
    if (!reel) return;
    if (reel.ended) this.seek(0);
    this.reporter?.soon();
    try {
      await reel.play();
    } catch {
      // the browser requires a gesture first: the play button is visible
    }
    this.update();
  }

  toggle(): void {
    if (this.reel?.playing) this.reel.pause();
    else void this.play();
  }

  /** seek goes to a time. With played it then plays even if it was paused. */
  seek(to: number, played = false): void {
    const { reel } = this;
    if (!reel) return;
    const at = Math.min(Math.max(to, 0), this.duration);
    this.reporter?.jump(at);
    reel.seek(at);
    this.update();
    if (played && !reel.playing) void this.play();
  }

  private turnCaptions(on: boolean): void {
    this.captions?.turn(on);
    find(this.root, "[data-do=captions]")?.setAttribute("aria-pressed", String(on));
    this.root.classList.toggle("captioned", on);
  }

  private turnTheatre(on: boolean): void {
    document.body.classList.toggle("theatre", on);
    find(this.root, "[data-do=theatre]")?.setAttribute("aria-pressed", String(on));
  }

  private full(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (this.root.requestFullscreen) void this.root.requestFullscreen().catch(() => undefined);
    else (this.video as HTMLVideoElement & { webkitEnterFullscreen?: () => void }).webkitEnterFullscreen?.();
  }

  private mute(on: boolean): void {
    const { reel, root } = this;
    if (!reel) return;
    reel.muted = on;
    const button = need(root, "[data-do=mute]");
    button.setAttribute("aria-pressed", String(on));
    need(button, "use").setAttribute("href", on ? "#i-mute" : "#i-sound");
  }

  /** turnSound mutes or unmutes, and restores a volume of zero when unmuting. */
  private turnSound(on: boolean): void {
    const loudness = need<HTMLInputElement>(this.root, ".loudness");
    if (on && this.reel && Number(loudness.value) === 0) {
      loudness.value = "1";
      this.reel.volume = 1;
      remember("volume", loudness.value);
    }
    this.mute(!on);
  }

  private get muted(): boolean {
    return need(this.root, "[data-do=mute]").getAttribute("aria-pressed") === "true";
  }

  private act(what: string): void {
    switch (what) {
      case "play":
        return this.toggle();
      case "mute":
        return this.turnSound(this.muted);
      case "captions": {
        const on = !this.captions?.on;
        remember("captions", on ? "on" : "off");
        return this.turnCaptions(on);
      }
      case "theatre": {
        const on = !document.body.classList.contains("theatre");
        remember("theatre", on ? "on" : "off");
        return this.turnTheatre(on);
      }
      case "full":
        return this.full();
      case "pip":
        if (document.pictureInPictureElement) void document.exitPictureInPicture();
        else void this.video.requestPictureInPicture().catch(() => undefined);
    }
  }

  private bind(): void {
    const { root } = this;

    root.addEventListener("click", (e) => {
      const button = (e.target as Element).closest<HTMLElement>("button[data-do]");
      if (button?.dataset.do) this.act(button.dataset.do);
    });
    this.begin.addEventListener("click", () => {
      void this.play();
      need(root, "[data-do=play]").focus({ preventScroll: true });
    });
    this.video.addEventListener("click", () => this.toggle());
    this.video.addEventListener("dblclick", () => this.full());
    this.video.addEventListener("volumechange", () => {
      if (this.video.muted !== this.muted) this.turnSound(!this.video.muted); // muted from outside the page, such as in picture in picture
    });

    this.position.addEventListener("pointerdown", () => {
      this.resume = this.reel?.playing ?? false;
      this.held = this.position.value;
    });
    this.position.addEventListener("input", () => {
      if (this.held === null) this.seek(Number(this.position.value));
      else this.update();
    });
    addEventListener("pointerup", () => this.release(true));
    addEventListener("pointercancel", () => this.release(false));

    const loudness = need<HTMLInputElement>(root, ".loudness");
    loudness.addEventListener("input", () => {
      if (this.reel) this.reel.volume = Number(loudness.value);
      remember("volume", loudness.value);
      this.mute(Number(loudness.value) === 0);
    });
    need<HTMLSelectElement>(root, "[data-do=rate]").addEventListener("change", (e) => {
      const value = (e.target as HTMLSelectElement).value;
      if (this.reel) this.reel.rate = Number(value);
      remember("rate", value);
    });

    document.addEventListener("click", (e) => {
      const link = (e.target as Element).closest<HTMLElement>("[data-seek]");
      if (!link) return;
      e.preventDefault();
      this.seek(Number(link.dataset.seek), true);
      if (root.getBoundingClientRect().top < -80) root.scrollIntoView({ block: "start" });
    });
    // A page of this server that embeds the player moves it with this event, as it learns the time from "reel:time".
    root.addEventListener("reel:seek", (e) => {
      const { to, play } = (e as CustomEvent<{ to: number; play: boolean }>).detail;
      this.seek(to, play);
    });
    document.addEventListener("keydown", (e) => this.key(e));
    document.addEventListener("fullscreenchange", () => {
      const on = document.fullscreenElement === root;
      const button = need(root, "[data-do=full]");
      button.setAttribute("aria-pressed", String(on));
      need(button, "use").setAttribute("href", on ? "#i-unfull" : "#i-full");
    });

    for (const what of ["pointermove", "pointerdown", "keydown", "focusin"]) root.addEventListener(what, () => this.wake());
    root.addEventListener("pointerleave", () => this.doze(600));
  }

  /** release ends a drag, at its target or where it began. A tap has not moved the bar yet; its input event
   * follows. */
  private release(there: boolean): void {
    const { held } = this;
    if (held === null) return;
    this.held = null;
    const { value } = this.position;
    if (there && value !== held) this.seek(Number(value), this.resume);
    else this.update();
  }

  /** key handles a key while the player, or nothing, has the focus. */
  private key(e: KeyboardEvent): void {
    const at = e.target as Element;
    const inside = this.root.contains(at);
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || (!inside && at !== document.body)) return;
    const range = at instanceof HTMLInputElement;
    if (at instanceof HTMLSelectElement || (at as HTMLElement).isContentEditable) return;

    const step = (by: number) => this.seek(this.time + by);
    const keys: Record<string, () => void> = {
      k: () => this.toggle(),
      j: () => step(-large),
      l: () => step(large),
      m: () => this.act("mute"),
      c: () => this.act("captions"),
      t: () => this.act("theatre"),
      f: () => this.act("full"),
      ",": () => step(-1 / 30),
      ".": () => step(1 / 30),
    };
    if (!(at instanceof HTMLButtonElement)) keys[" "] = () => this.toggle();
    if (!range || at === this.position) {
      keys.ArrowLeft = () => step(-small);
      keys.ArrowRight = () => step(small);
      keys.Home = () => this.seek(0);
      keys.End = () => this.seek(this.duration);
    }
    for (let n = 0; n <= 9; n++) keys[String(n)] = () => this.seek((this.duration * n) / 10);

    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act) return;
    e.preventDefault();
    act();
  }

  private wake(): void {
    this.root.classList.remove("dozing");
    this.doze(hidesAfter);
  }

  private doze(after: number): void {
    clearTimeout(this.idle);
    this.idle = window.setTimeout(() => {
      const focus = document.activeElement;
      const held = this.controls.contains(focus) && (focus?.matches(":focus-visible") ?? false);
      if (this.reel?.playing && !held) this.root.classList.add("dozing");
    }, after);
  }
}
