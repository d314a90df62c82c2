import { useId, type ComponentProps, type ReactNode, type Ref } from "react";

import { classes } from "./classes";
import css from "./Field.module.css";

export type Shared = {
  label: string;
  hint?: ReactNode;
  problem?: string | null | undefined;
  /** Hides the label. Screen readers still read it. */
  bare?: boolean;
};

/** Around is a field with its label, hint and problem. */
export function Around({ label, hint, problem, bare, id, children }: Shared & { id: string; children: ReactNode }) {
  return (
    <div className={css["field"]}>
      <label htmlFor={id} className={bare ? css["away"] : css["label"]}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className={css["hint"]}>
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className={css["problem"]} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** described tells screen readers what belongs to a field. */
export const described = (id: string, { hint, problem }: Pick<Shared, "hint" | "problem">) => {
  const by = classes(!!hint && `${id}-hint`, problem && `${id}-problem`);
  return { ...(by && { "aria-describedby": by }), ...(problem && { "aria-invalid": true }) };
};

type TextProps = Shared & { value: string; onText: (text: string) => void; ref?: Ref<HTMLInputElement> } & Omit<ComponentProps<"input">, "value" | "onChange" | "id" | "ref">;

/** TextField is one line of text. */
export function TextField({ label, hint, problem, bare, onText, className, ...rest }: TextProps) {
  const id = useId();
  return (
    <Around {...{ label, hint, problem, id }} {...(bare && { bare })}>
      <input id={id} dir="auto" className={classes(css["input"], className)} {...described(id, { hint, problem })} onChange={(event) => onText(event.target.value)} {...rest} />
    </Around>
  );
}

type SelectProps<V extends string> = Shared & { value: V; onPick: (value: V) => void; options: readonly { value: V; label: string }[] } & Omit<ComponentProps<"select">, "value" | "onChange" | "id" | "children">;

/** Select is a choice of one. */
export function Select<V extends string>({ label, hint, problem, bare, value, onPick, options, className, ...rest }: SelectProps<V>) {
  const id = useId();
  return (
    <Around {...{ label, hint, problem, id }} {...(bare && { bare })}>
      <select id={id} value={value} className={classes(css["input"], css["select"], className)} {...described(id, { hint, problem })} onChange={(event) => onPick(event.target.value as V)} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Around>
  );
}
