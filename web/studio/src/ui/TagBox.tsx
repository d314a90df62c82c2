import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";

import { Icon } from "./Icon";
import { matching } from "./matching";
import css from "./TagBox.module.css";

export type Choice = { id: string; name: string; color?: string };

type Props = {
  label: string;
  choices: readonly Choice[];
  picked: readonly Choice[];
  onAdd: (choice: Choice) => void;
  onRemove: (choice: Choice) => void;
  /** Makes a new choice from what was typed. Without it only the choices can be picked. */
  onCreate?: (name: string) => void;
  placeholder?: string;
};

/** TagBox is a text field with a list: type to narrow it, arrows to move, Enter to add, Backspace to remove the last. */
export function TagBox({ label, choices, picked, onAdd, onRemove, onCreate, placeholder = "Add…" }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);

  const { found, fresh } = matching(choices, picked, text, !!onCreate);
  const list = useRef<HTMLUListElement>(null);
  const rows = [...found, ...(fresh ? [null] : [])];
  const current = Math.min(at, rows.length - 1);

  const shown = open && rows.length > 0;
  // In the top layer, so that no dialog around it cuts it off.
  useLayoutEffect(() => {
    if (shown) list.current!.showPopover();
    else if (list.current!.matches(":popover-open")) list.current!.hidePopover();
  }, [shown]);

  function pick(row: Choice | null) {
    if (row) onAdd(row);
    else onCreate!(fresh!);
    setText("");
    setAt(0);
    input.current?.focus();
  }

  function remove(choice: Choice) {
    onRemove(choice);
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) setOpen(true);
      else if (rows.length) setAt((current + (event.key === "ArrowDown" ? 1 : rows.length - 1)) % rows.length);
    } else if (event.key === "Enter" && open && rows.length) {
      event.preventDefault();
      pick(rows[current]!);
    } else if (event.key === "Escape" && open) {
      event.preventDefault(); // or it closes the dialog around it
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === "Backspace" && !text && picked.length) {
      remove(picked[picked.length - 1]!);
    }
  }

  return (
    <div className={css["field"]}>
      <label htmlFor={id} className={css["label"]}>
        {label}
      </label>
      <div className={css["box"]} onPointerDown={(event) => event.target === event.currentTarget && (event.preventDefault(), input.current?.focus())}>
        {picked.map((choice) => (
          <span key={choice.id} className={css["chip"]}>
            {choice.color && <i style={{ background: choice.color }} />}
            <bdi>{choice.name}</bdi>
            <button type="button" aria-label={`Remove ${choice.name}`} onClick={() => remove(choice)}>
              <Icon name="close" size={14} />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          role="combobox"
          dir="auto"
          autoComplete="off"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown ? `${id}-${current}` : undefined}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setAt(0);
          }}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <ul ref={list} id={`${id}-list`} role="listbox" aria-label={label} popover="manual" className={css["list"]}>
          {rows.map((row, i) => (
            <li key={row?.id ?? "new"} id={`${id}-${i}`} role="option" aria-selected={i === current} className={css["option"]} onPointerDown={(event) => event.preventDefault()} onClick={() => pick(row)}>
              {row?.color && <i style={{ background: row.color }} />}
              {row ? <bdi>{row.name}</bdi> : <>Create “{fresh}”</>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
