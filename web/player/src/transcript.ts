import { clock, need } from "./dom";

/** transcript fills the panel beside the video. Choosing a sentence seeks to it. */
export function transcript(panel: HTMLElement, from: string, seek: (to: number) => void): (now: number) => void {
  const lines = need(panel, ".lines");
  const follow = need<HTMLInputElement>(panel, ".follow input");
  let rows: { from: number; line: HTMLElement }[] = [];
  let current: HTMLElement | null = null;

  void fetch(from)
    .then((answer) => (answer.ok ? (answer.json() as Promise<[number, number, string][]>) : []))
    .then((sentences) => {
      lines.replaceChildren();
      if (!sentences.length) {
        const nothing = document.createElement("p");
        nothing.className = "quiet";
        nothing.textContent = "Nothing is said in this video.";
        lines.append(nothing);
      }
      rows = sentences.map(([start, , text]) => {
        const line = document.createElement("button");
        const stamp = document.createElement("span");
        const said = document.createElement("span");
        line.type = "button";
        stamp.className = "stamp";
        stamp.textContent = clock(start / 1000);
        said.textContent = text;
        said.dir = "auto";
        line.append(stamp, said);
        line.addEventListener("click", () => seek(start / 1000));
        lines.append(line);
        return { from: start / 1000, line };
      });
    })
    .catch(() => undefined);

  return (now) => {
    let line: HTMLElement | null = null;
    for (const row of rows) if (row.from <= now + 0.05) line = row.line;
    if (line === current) return;
    current?.removeAttribute("aria-current");
    current = line;
    if (!line) return;
    line.setAttribute("aria-current", "true");
    if (follow.checked) {
      const middle = line.offsetTop - lines.offsetTop - lines.clientHeight / 2 + line.clientHeight / 2;
      lines.scrollTo({ top: middle, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
    }
  };
}
