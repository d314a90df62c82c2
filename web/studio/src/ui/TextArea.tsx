import { useId, type ComponentProps } from "react";

import { Around, described, type Shared } from "./Field";
import css from "./Field.module.css";
import { classes } from "./classes";

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
