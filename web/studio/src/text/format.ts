// How times, sizes and counts are written.

/** clock writes a length or a position: 0:07, 1:05, 1:02:03. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** spoken writes a length for screen readers: "1 hour 2 minutes 3 seconds". */
export function spoken(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, unit]) => count(n, unit));
  return said.join(" ") || "0 seconds";
}

/** count writes a number with its noun: "1 video", "1,204 videos". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? noun : plural}`;
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** bytes writes a size in steps of 1,000: 940 B, 12 KB, 3.4 MB. */
export function bytes(n: number): string {
  let step = 0;
  let value = n;
  while (value >= 999.5 && step < units.length - 1) {
    value /= 1000;
    step++;
  }
  const digits = step > 1 && value < 9.95 ? 1 : 0;
  return `${value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${units[step]}`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** ago writes how long ago something was, and its date after a week. */
export function ago(at: string, now: number = Date.now()): string {
  const age = now - Date.parse(at);
  if (age < minute) return "just now";
  if (age < hour) return relative.format(-Math.floor(age / minute), "minute");
  if (age < day) return relative.format(-Math.floor(age / hour), "hour");
  if (age < 7 * day) return relative.format(-Math.floor(age / day), "day");
  return date(at, now);
}

/** date writes a day, with its year unless it is this year. */
export function date(at: string, now: number = Date.now()): string {
  const thisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString("en", { day: "numeric", month: "short", ...(!thisYear && { year: "numeric" }) });
}

/** moment writes a day and a time. */
export function moment(at: string): string {
  return new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
