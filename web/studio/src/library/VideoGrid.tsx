import { useEffect, useLayoutEffect, useRef, useState } from "react";

import type { Item } from "../ui/Menu";
import { gap, layoutOf, rowsIn, type Layout } from "./grid";
import type { Row } from "./rows";
import { VideoCard } from "./VideoCard";
import css from "./VideoGrid.module.css";
import type { Seen } from "./walk";

type Props = {
  label: string;
  seen: Seen<Row>;
  onLook: (from: number, to: number) => void;
  selected: ReadonlySet<string>;
  onSelect: (id: string, range: boolean) => void;
  itemsFor: (row: Row) => Item[];
};

/** VideoGrid draws the videos near the window. */
export function VideoGrid({ label, seen, onLook, selected, onSelect, itemsFor }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [layout, setLayout] = useState<Layout | null>(null);
  const [[from, to], setRows] = useState<[number, number]>([0, 8]);

  const { items, more, waiting } = seen;
  const columns = layout?.columns ?? 4;
  const known = Math.ceil(items.length / columns);
  const rows = waiting ? 3 : known + (more ? 2 : 0);

  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const next = layoutOf(entry!.contentRect.width);
      setLayout((now) => (now && now.columns === next.columns && now.cell === next.cell ? now : next));
    });
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!layout) return;
    function look() {
      const top = -list.current!.getBoundingClientRect().top;
      const next = rowsIn(layout!, rows, top, top + innerHeight);
      setRows((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
    }
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [layout, rows]);

  useEffect(() => onLook(from * columns, to * columns - 1), [onLook, from, to, columns]);

  const last = Math.min(to, rows);
  const shown = items.slice(from * columns, last * columns);
  const blanks = Math.max(0, (last - Math.max(from, known)) * columns) + (more && last >= known && items.length % columns ? columns - (items.length % columns) : 0);
  const height = layout ? { paddingTop: from * layout.row, paddingBottom: Math.max(0, rows - last) * layout.row } : {};

  return (
    <ul ref={list} aria-label={label} aria-busy={waiting} className={css["grid"]} style={{ ...height, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gridAutoRows: layout ? layout.row - gap : undefined, gap }}>
      {shown.map((row, i) => (
        <VideoCard
          key={row.id}
          row={row}
          place={from * columns + i + 1}
          of={more ? -1 : items.length}
          selected={selected.has(row.id)}
          selecting={selected.size > 0}
          onSelect={onSelect}
          itemsFor={itemsFor}
        />
      ))}
      {Array.from({ length: blanks }, (_, i) => (
        <li key={`blank-${i}`} aria-hidden="true" className={css["blank"]}>
          <div />
          <p />
        </li>
      ))}
    </ul>
  );
}
