import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import css from "./Analytics.module.css";

type Day = { date: string; views: number; uniqueSessions: number };

const dark = matchMedia("(prefers-color-scheme: dark)");
const subscribe = (listener: () => void) => {
  dark.addEventListener("change", listener);
  return () => dark.removeEventListener("change", listener);
};

/** Chart draws the days. It is a picture only: the table has the same figures. */
export default function Chart({ days }: { days: readonly Day[] }) {
  const box = useRef<HTMLDivElement>(null);
  const isDark = useSyncExternalStore(subscribe, () => dark.matches);

  useEffect(() => {
    const style = getComputedStyle(box.current!);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const [accent, quiet, line] = [color("--accent"), color("--quiet"), color("--line")];
    const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: `12px ${style.fontFamily}` };
    const height = 240;

    const plot = new uPlot(
      {
        width: box.current!.clientWidth,
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"), // each day is drawn at its own midnight
        cursor: { y: false, drag: { x: false, y: false } },
        legend: { show: false },
        scales: { y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] } },
        axes: [axis, { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6] }],
        series: [
          {},
          { label: "Views", stroke: accent, width: 2, fill: `${accent}22`, points: { show: days.length < 40 } },
          { label: "Sessions", stroke: quiet, width: 1.5, dash: [4, 4], points: { show: false } },
        ],
      },
      [days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000), days.map(({ views }) => views), days.map(({ uniqueSessions }) => uniqueSessions)],
      box.current!,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: box.current!.clientWidth, height }));
    resized.observe(box.current!);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [days, isDark]);

  return <div ref={box} aria-hidden="true" className={css["chart"]} />;
}
