import { useId, type ComponentProps, type ReactNode } from "react";

import { described } from "./Field";
import css from "./Field.module.css";

type CheckProps = { label: string; hint?: ReactNode; checked: boolean; onCheck: (checked: boolean) => void } & Omit<ComponentProps<"input">, "checked" | "onChange" | "id" | "type">;

/** Checkbox is a choice of yes or no. */
export function Checkbox({ label, hint, checked, onCheck, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={css["check"]}>
      <input id={id} type="checkbox" checked={checked} {...described(id, { hint, problem: null })} onChange={(event) => onCheck(event.target.checked)} {...rest} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={css["hint"]}>
          {hint}
        </p>
      )}
    </div>
  );
}
