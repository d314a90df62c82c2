export function find<T extends Element = HTMLElement>(root: ParentNode, selector: string): T | null {
  return root.querySelector<T>(selector);
}

export function need<T extends Element = HTMLElement>(root: ParentNode, selector: string): T {
  const found = root.querySelector<T>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** clock formats a time for people. */
export function clock(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  return s >= 3600
    ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
    : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** startOf parses the start time in an address: 90, 90.5, 90s, 1m30s, 1h2m or 1:30; 0 if there is none. */
export function startOf(text: string): number {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?$/.exec(text) ?? /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const [hours, minutes, seconds] = [parts[1], parts[2], parts[3]].map((part) => Number(part ?? 0));
  return (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
}

/** spoken formats a time for screen readers. */
export function spoken(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  const part = (n: number, unit: string) => (n ? `${n} ${unit}${n === 1 ? "" : "s"} ` : "");
  return (part(Math.floor(s / 3600), "hour") + part(Math.floor(s / 60) % 60, "minute") + part(s % 60, "second")).trim() || "0 seconds";
}

const memory = "reelgraph.";

/** remembered returns a choice of the viewer stored in this browser, or null. Browsers may refuse storage. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(memory + name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(memory + name, value);
  } catch {
    // storage refused: the viewer must choose again next time
  }
}
