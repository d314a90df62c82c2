/** The ranges that can be chosen: the last days, today included; "all" is all time. */
export const ranges = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
  { value: "365", label: "Last 365 days" },
  { value: "all", label: "All time" },
] as const;

export type Range = (typeof ranges)[number]["value"];

/** daysOf returns the first and the last day of a range in a time zone, as 2026-01-31. */
export function daysOf(range: Range, timezone: string, now: Date = new Date()): { startDate?: string; endDate?: string } {
  if (range === "all") return {};
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);
  const start = new Date(`${today}T00:00:00Z`);
  start.setUTCDate(start.getUTCDate() - Number(range) + 1);
  return { startDate: start.toISOString().slice(0, 10), endDate: today };
}

/** timezone is the browser's. Old engines name it in a way that the server does not know; then it is UTC. */
export const timezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** watched writes a time that people watched: 40 s, 12 min, 3.4 h. */
export function watched(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toLocaleString("en", { maximumFractionDigits: 1 })} h`;
}
