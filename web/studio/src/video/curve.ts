export type Point = { percent: number; viewers: number };

/** The coordinates are percent of the width, and of the height from the top. */
const height = 100;

/** curveOf draws how many viewers saw each percent of a video: a line, and the area below it. */
export function curveOf(points: readonly Point[]): { line: string; area: string; most: number } | null {
  const most = Math.max(0, ...points.map((point) => point.viewers));
  if (!most || points.length < 2) return null;
  const at = points.map(({ percent, viewers }) => `${percent} ${round(height - (viewers / most) * height)}`);
  const line = `M${at.join("L")}`;
  return { line, area: `${line}L${points.at(-1)!.percent} ${height}L${points[0]!.percent} ${height}Z`, most };
}

const round = (n: number) => Math.round(n * 100) / 100;

export type Range = "7" | "30" | "90" | "all";

/** daysOf returns the first and the last day of a range that ends today, in the person's time zone. */
export function daysOf(range: Range, today: Date): { startDate: string; endDate: string } | null {
  if (range === "all") return null;
  const first = new Date(today);
  first.setDate(first.getDate() - Number(range) + 1);
  const day = (date: Date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
  return { startDate: day(first), endDate: day(today) };
}

/** span writes a long time shortly: 45 s, 12 min, 3.5 h. */
export function span(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  if (seconds < 3570) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toLocaleString("en", { maximumFractionDigits: 1 })} h`;
}
