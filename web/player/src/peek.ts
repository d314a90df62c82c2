import { clock, need } from "./dom";
import type { Told } from "./told";

interface Sheet {
  url: string;
  columns: number;
  rows: number;
  intervalMs: number;
}

/** peek shows a preview of the position under the pointer above the seek bar. */
export function peek(seekBar: HTMLElement, told: Told, ratio: number): void {
  const box = need(seekBar, ".peek");
  const tile = need(seekBar, ".sheet");
  const where = need(seekBar, ".where");
  const duration = told.durationMs / 1000;
  const width = ratio >= 1 ? 176 : 112;
  const height = Math.round(width / ratio);
  // A tile of the sheet is 16:9 whatever the video is; the black bars beside the picture are cut off.
  const across = Math.max(width, (height * 16) / 9);
  const down = (across * 9) / 16;
  let sheet: Sheet | null = null;
  let asked = false;
  let at = 0; // position under the pointer, in seconds

  const ask = () => {
    if (asked) return;
    asked = true;
    void fetch(told.storyboard)
      .then((answer) => (answer.ok ? (answer.json() as Promise<Sheet>) : null))
      .then((found) => {
        if (!found) return;
        sheet = found;
        tile.style.width = `${width}px`;
        tile.style.height = `${height}px`;
        tile.style.backgroundImage = `url("${found.url}")`;
        tile.style.backgroundSize = `${found.columns * across}px ${found.rows * down}px`;
        tile.hidden = false;
        turn();
      })
      .catch(() => undefined);
  };

  /** turn moves the sheet to the picture of that moment, which can be computed before the sheet is loaded. */
  const turn = () => {
    if (!sheet) return;
    const i = Math.min(Math.floor((at * 1000) / sheet.intervalMs), sheet.columns * sheet.rows - 1);
    const column = i % sheet.columns;
    const row = Math.floor(i / sheet.columns);
    tile.style.backgroundPosition = `${(width - across) / 2 - column * across}px ${(height - down) / 2 - row * down}px`;
  };

  const show = (fraction: number) => {
    ask();
    at = Math.min(Math.max(fraction, 0), 1) * duration;
    box.hidden = false;
    let title = "";
    for (const chapter of told.chapters) if (chapter.atMs / 1000 <= at) title = chapter.title;
    where.textContent = title ? `${clock(at)} · ${title}` : clock(at);
    turn();
    const half = box.offsetWidth / 2;
    const x = Math.min(Math.max(fraction * seekBar.clientWidth, half), seekBar.clientWidth - half);
    box.style.left = `${x}px`;
  };

  seekBar.addEventListener("pointermove", (e) => {
    const area = seekBar.getBoundingClientRect();
    show((e.clientX - area.left) / area.width);
  });
  seekBar.addEventListener("pointerleave", () => (box.hidden = true));
  seekBar.addEventListener("focusin", (e) => {
    if ((e.target as Element).matches(":focus-visible")) ask();
  });
}
