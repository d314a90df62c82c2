import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

import { Away } from "./Away";
import { classes } from "./classes";
import { Icon } from "./Icon";
import { moved, target } from "./order";
import css from "./SortableList.module.css";

type Props<T extends { id: string }> = {
  label: string;
  items: readonly T[];
  /** The name of an item, for screen readers. */
  nameOf: (item: T) => string;
  children: (item: T, index: number) => ReactNode;
  /** Moves an item in front of another, or to the end. */
  onMove: (item: T, before: T | null) => void;
  /** Without it the handles are left out. */
  movable?: boolean;
};

/**
 * SortableList is a list that is put in order by dragging a handle, or by keys: Space or Enter on the handle takes the
 * item, the arrows move it, Space or Enter puts it down, Escape takes it back.
 */
export function SortableList<T extends { id: string }>({ label, items, nameOf, children, onMove, movable = true }: Props<T>) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const drag = useRef<{ from: number; y: number; rows: { top: number; height: number }[] } | null>(null);
  const [held, setHeld] = useState<{ id: string; from: number; to: number; by: number; keys: boolean } | null>(null);
  const [said, say] = useState("");

  const from = held ? items.findIndex((item) => item.id === held.id) : -1;
  const shown = held?.keys && from >= 0 ? moved(items, from, held.to) : items;

  // Moving an element takes the focus from its handle.
  useLayoutEffect(() => {
    if (held?.keys) list.current?.querySelector<HTMLElement>(`[data-handle="${held.id}"]`)?.focus();
  }, [held]);

  function put(item: T, to: number) {
    const start = items.indexOf(item);
    setHeld(null);
    if (start < 0 || to === start) return;
    const after = moved(items, start, to);
    onMove(item, after[to + 1] ?? null);
    say(`${nameOf(item)} is now ${to + 1} of ${items.length}.`);
  }

  function onKeyDown(event: KeyboardEvent, item: T, at: number) {
    const takes = event.key === " " || event.key === "Enter";
    const steps = { ArrowUp: -1, ArrowDown: 1, Home: -items.length, End: items.length }[event.key];

    if (takes && !held) {
      setHeld({ id: item.id, from: at, to: at, by: 0, keys: true });
      say(`${nameOf(item)} taken, ${at + 1} of ${items.length}. Move it with the arrow keys, put it down with Space, or press Escape.`);
    } else if (takes && held) {
      put(item, held.to);
    } else if (held?.keys && steps) {
      const to = Math.max(0, Math.min(items.length - 1, held.to + steps));
      setHeld({ ...held, to });
      say(`${to + 1} of ${items.length}`);
    } else if (held && event.key === "Escape") {
      event.stopPropagation();
      setHeld(null);
      say(`${nameOf(item)} is back at ${held.from + 1}.`);
    } else {
      return;
    }
    event.preventDefault();
  }

  function onPointerDown(event: PointerEvent<HTMLElement>, item: T, at: number) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const rows = [...list.current!.children].map((row) => row.getBoundingClientRect()).map(({ top, height }) => ({ top, height }));
    drag.current = { from: at, y: event.clientY + scrollY, rows };
    setHeld({ id: item.id, from: at, to: at, by: 0, keys: false });
  }

  function onPointerMove(event: PointerEvent) {
    if (!drag.current || !held || held.keys) return;
    const edge = 48;
    if (event.clientY < edge) scrollBy(0, -12);
    if (event.clientY > innerHeight - edge) scrollBy(0, 12);
    const by = event.clientY + scrollY - drag.current.y;
    setHeld({ ...held, by, to: target(drag.current.rows, drag.current.from, by) });
  }

  const height = drag.current && held && !held.keys ? drag.current.rows[held.from]!.height : 0;
  const shift = (at: number) => {
    if (!held || held.keys) return 0;
    if (at === held.from) return held.by;
    if (at > held.from && at <= held.to) return -height;
    if (at < held.from && at >= held.to) return height;
    return 0;
  };

  return (
    <>
      <ol ref={list} aria-label={label} className={css["list"]}>
        {shown.map((item, at) => (
          <li key={item.id} className={classes(css["row"], held?.id === item.id && css["held"], !!held && !held.keys && css["sliding"])} style={{ transform: shift(at) ? `translateY(${shift(at)}px)` : undefined }}>
            {movable && (
              <button
                type="button"
                data-handle={item.id}
                aria-label={`Move ${nameOf(item)}`}
                aria-describedby={`${id}-help`}
                aria-pressed={held?.id === item.id}
                className={css["handle"]}
                onKeyDown={(event) => onKeyDown(event, item, at)}
                onBlur={() => held?.keys && held.id === item.id && document.hasFocus() && setTimeout(() => setHeld((now) => (now?.keys && !list.current?.contains(document.activeElement) ? null : now)))}
                onPointerDown={(event) => onPointerDown(event, item, at)}
                onPointerMove={onPointerMove}
                onPointerUp={() => held && !held.keys && put(item, held.to)}
                onPointerCancel={() => setHeld(null)}
              >
                <Icon name="drag" />
              </button>
            )}
            <div className={css["content"]}>{children(item, at)}</div>
          </li>
        ))}
      </ol>
      <p id={`${id}-help`} hidden>
        Press Space to take it, then the arrow keys.
      </p>
      <div role="status">
        <Away>{said}</Away>
      </div>
    </>
  );
}
