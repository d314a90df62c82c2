import { useId, type ComponentProps, type ReactNode, type Ref } from "react";

import { classes } from "./classes";
import css from "./Field.module.css";

type Shared = {
  label: string;
  hint?: ReactNode;
  problem?: string | null | undefined;
  /** Hides the label. Screen readers still read it. */
  bare?: boolean;
};

function Around({ label, hint, problem, bare, id, children }: Shared & { id: string; children: ReactNode }) {
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

const described = (id: string, { hint, problem }: Pick<Shared, "hint" | "problem">) => {
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

type AreaProps = Shared & { value: string; onText: (text: string) => void } & Omit<ComponentProps<"textarea">, "value" | "onChange" | "id">;

/** TextArea is text of several lines. */
export function TextArea({ label, hint, problem, bare, onText, className, ...rest }: AreaProps) {
  const id = useId();
  return (
    <Around {...{ label, hint, problem, id }} {...(bare && { bare })}>
      <textarea id={id} dir="auto" rows={3} className={classes(css["input"], css["area"], className)} {...described(id, { hint, problem })} onChange={(event) => onText(event.target.value)} {...rest} />
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
