import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import css from "./Tabs.module.css";

export type Tab = { id: string; label: string; panel: () => ReactNode };

/** Tabs shows one of several panels. The arrow keys move between the tabs. */
export function Tabs({ label, tabs, current, onPick }: { label: string; tabs: readonly Tab[]; current: string; onPick: (id: string) => void }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(0, tabs.findIndex((tab) => tab.id === current));
  const shown = tabs[at];

  function onKeyDown(event: KeyboardEvent) {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    onPick(tabs[next]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={css["list"]} onKeyDown={onKeyDown}>
        {tabs.map((tab, i) => (
          <button key={tab.id} type="button" role="tab" id={`${id}-${tab.id}`} aria-selected={i === at} aria-controls={`${id}-panel`} tabIndex={i === at ? 0 : -1} className={css["tab"]} onClick={() => onPick(tab.id)}>
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown?.id}`} tabIndex={0} className={css["panel"]}>
        {shown?.panel()}
      </div>
    </>
  );
}
