import { createContext, useContext, useSyncExternalStore } from "react";

// The video plays in the page that is made for embedding, in a frame. So the studio shows exactly what viewers see, with
// their keys, captions and rates, keeps no second player, and plays what waits for its film as soon as the film is there.
// The page is of this server, so the frame can be reached: the player tells its time by the event "reel:time", and goes to
// a time at "reel:seek".

/** Player is the player in the frame, as the parts of the screen see it. Times are in milliseconds. */
export class Player {
  #root: HTMLElement | null = null;
  #view: (Window & typeof globalThis) | null = null;
  #time: number;
  #waiting: { to: number; play: boolean } | null = null;
  #listeners = new Set<() => void>();

  /** from is the time at which the page begins. */
  constructor(from = 0) {
    this.#time = from;
  }

  /** The time of what is shown. */
  get time(): number {
    return this.#time;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** attach connects to the page that a frame has loaded. It reports whether a video is there: a page that asks for a password has none. */
  attach(frame: HTMLIFrameElement): boolean {
    this.#view = frame.contentWindow as (Window & typeof globalThis) | null;
    const page = frame.contentDocument;
    this.#root = page?.querySelector<HTMLElement>("[data-player]") ?? null;
    page?.addEventListener("reel:time", (event) => this.#tell((event as CustomEvent<number>).detail * 1000));
    page?.querySelector(".caption")?.toggleAttribute("hidden", true); // the name stands above the player here
    const position = this.#root?.querySelector<HTMLInputElement>(".position");
    if (this.#waiting) this.seek(this.#waiting.to, this.#waiting.play);
    else if (position && this.#root?.classList.contains("ready")) this.#tell(Number(position.value) * 1000);
    return !!this.#root;
  }

  /** detach forgets the page, before another one is loaded. */
  detach(): void {
    this.#root = null;
  }

  /** seek goes to a time and, if play is true, plays from there. */
  seek(ms: number, play = false): void {
    const to = Math.max(0, ms);
    if (!this.#root || !this.#view) {
      this.#waiting = { to, play };
      return;
    }
    this.#waiting = null;
    this.#root.dispatchEvent(new this.#view.CustomEvent("reel:seek", { detail: { to: to / 1000, play } }));
    this.#tell(to);
  }

  #tell(ms: number): void {
    this.#time = ms;
    for (const listener of [...this.#listeners]) listener();
  }
}

const PlayerContext = createContext<Player>(new Player());

export const PlayerProvider = PlayerContext.Provider;

export const usePlayer = (): Player => useContext(PlayerContext);

/** usePlayed returns what of the time a part shows, such as its second, and draws it again only when that changes. */
export function usePlayed<T extends string | number | boolean | null>(of: (ms: number) => T): T {
  const player = usePlayer();
  return useSyncExternalStore(player.subscribe, () => of(player.time));
}
