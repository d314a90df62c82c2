import { useId, useRef, useState, type KeyboardEvent, type ReactNode, type ToggleEvent } from "react";
import { useLocation } from "wouter";

import { Button } from "./Button";
import { Icon, type IconName } from "./Icon";
import css from "./Menu.module.css";

export type Item =
  | { label: string; icon?: IconName; onPick: () => void; danger?: boolean; checked?: boolean; note?: string }
  | { label: string; icon?: IconName; to: string; note?: string }
  | "line";

type Props = {
  /** The name of the button. */
  label: string;
  items: () => Item[];
  icon?: IconName;
  look?: "plain" | "quiet";
  compact?: boolean;
  /** What the button shows instead of the label, and is named by. */
  face?: ReactNode;
  className?: string;
};

/** Menu is a button that opens a list of actions. Its items are made when it opens. */
export function Menu({ label, items, icon, look = "plain", compact, face, className }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const all = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  const close = () => list.current?.hidePopover();

  function onToggle(event: ToggleEvent<HTMLDivElement>) {
    setOpen(event.newState === "open");
    if (event.newState === "open") requestAnimationFrame(() => list.current?.contains(document.activeElement) || all()[0]?.focus());
  }

  function onKeyDown(event: KeyboardEvent) {
    const items = all();
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[(to + items.length) % items.length]?.focus();
    } else if (event.key === "Tab") {
      close();
    } else if (event.key.length === 1 && event.key !== " ") {
      const typed = event.key.toLowerCase();
      const from = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      from.find((item) => item.textContent.trim().toLowerCase().startsWith(typed))?.focus();
    }
  }

  const opener = { popoverTarget: id, "aria-haspopup": "menu", "aria-expanded": open } as const;

  return (
    <>
      {face ? (
        <button type="button" className={className} {...opener}>
          {face}
        </button>
      ) : (
        <Button icon={icon} look={look} compact={compact} {...opener} {...(className && { className })}>
          {label}
        </Button>
      )}
      <div ref={list} id={id} popover="auto" role="menu" aria-label={label} className={css["menu"]} onToggle={onToggle} onKeyDown={onKeyDown}>
        {open && items().map((item, i) => (item === "line" ? <hr key={i} className={css["line"]} /> : <Row key={i} item={item} close={close} />))}
      </div>
    </>
  );
}

function Row({ item, close }: { item: Exclude<Item, "line">; close: () => void }) {
  const [, go] = useLocation();
  const checkable = "checked" in item && item.checked !== undefined;

  return (
    <button
      type="button"
      role={checkable ? "menuitemradio" : "menuitem"}
      {...(checkable && { "aria-checked": item.checked })}
      tabIndex={-1}
      className={"danger" in item && item.danger ? css["danger"] : css["item"]}
      onClick={() => {
        close();
        if ("to" in item) go(item.to);
        else item.onPick();
      }}
    >
      {item.icon && <Icon name={item.icon} size={18} />}
      <span className={css["text"]}>
        {item.label}
        {item.note && <small>{item.note}</small>}
      </span>
      {checkable && item.checked && <Icon name="check" size={18} />}
    </button>
  );
}
