import type { Told } from "./told";

interface Piece {
  at: number; // start time in seconds
  text: string;
  breaks: boolean; // starts a new line
}

interface Caption {
  from: number;
  to: number;
  pieces: Piece[];
}

/** Captions draws the captions over the video in the video's style, timed by the edited video. */
export class Captions {
  private cues: Caption[] = [];
  private shown: Caption | null = null;
  private words: HTMLElement[] = [];
  private asked = false;
  on = false;

  constructor(
    private readonly track: HTMLTrackElement,
    private readonly box: HTMLElement,
    private readonly told: Told,
    private readonly time: () => number,
  ) {
    box.style.setProperty("--caption-back", told.style.backgroundColor);
    box.style.setProperty("--caption-text", told.style.textColor);
    box.style.setProperty("--caption-x", `${told.position.x * 100}%`);
    box.style.setProperty("--caption-y", `${told.position.y * 100}%`);
  }

  turn(on: boolean): void {
    this.on = on;
    this.box.hidden = !on;
    if (on && !this.asked) {
      this.asked = true;
      this.track.addEventListener("load", () => {
        this.read();
        this.draw();
      });
      this.track.track.mode = "hidden"; // the browser parses it, this class draws it
    }
    this.shown = null;
    this.draw();
  }

  private read(): void {
    this.cues = Array.from(this.track.track.cues ?? [], (cue) => {
      const raw = (cue as VTTCue).text;
      const pieces: Piece[] = [];
      let at = cue.startTime;
      for (const part of raw.split(/(<[\d:.]+>|\n)/)) {
        const stamp = /^<(?:(\d+):)?(\d+):([\d.]+)>$/.exec(part);
        if (stamp) at = Number(stamp[1] ?? 0) * 3600 + Number(stamp[2]) * 60 + Number(stamp[3]);
        else if (part === "\n") pieces.push({ at, text: "", breaks: true });
        else if (part) pieces.push({ at, text: unescape(part), breaks: false });
      }
      return { from: cue.startTime, to: cue.endTime, pieces };
    });
  }

  draw(): void {
    if (!this.on) return;
    const now = this.time();
    const cue = this.cues.find((c) => c.from <= now && now < c.to) ?? null;
    if (cue !== this.shown) {
      this.shown = cue;
      this.words = [];
      this.box.replaceChildren();
      if (cue) {
        const line = document.createElement("p");
        line.dir = "auto";
        for (const piece of cue.pieces) {
          if (piece.breaks) {
            line.append(document.createElement("br"));
            continue;
          }
          const word = document.createElement("span");
          word.textContent = piece.text.trim();
          word.dataset.at = String(piece.at);
          line.append(word, piece.text.endsWith(" ") ? " " : "");
          this.words.push(word);
        }
        this.box.append(line);
      }
    }
    if (!this.told.style.wordLevelHighlights) return;
    let current: HTMLElement | null = null;
    for (const word of this.words) if (Number(word.dataset.at) <= now) current = word;
    for (const word of this.words) word.classList.toggle("spoken", word === current);
  }
}

function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
