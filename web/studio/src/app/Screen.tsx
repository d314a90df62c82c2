import { useEffect, useRef, type ReactNode } from "react";

import { classes } from "../ui/classes";
import css from "./Screen.module.css";

let visits = 0;

type Props = {
  /** The heading, and the title of the tab. */
  title: string;
  /** Stands in place of the heading, such as a form that changes it. */
  heading?: ReactNode;
  /** What stands beside the heading: buttons, a search box. */
  actions?: ReactNode;
  /** A line below the heading. */
  about?: ReactNode;
  width?: "narrow" | "settings" | "full";
  children: ReactNode;
};

/** Screen is what the shell shows for an address. After a move to another screen the focus is on its heading. */
export function Screen({ title, heading: instead, actions, about, width = "full", children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = `${title} · Reelgraph`;
  }, [title]);

  useEffect(() => {
    if (visits++ > 0) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div className={classes(css["screen"], css[width])}>
      <header className={css["head"]}>
        <div className={css["titles"]}>
          <h1 ref={heading} tabIndex={-1} dir="auto" {...(instead && { className: css["away"] })}>
            {title}
          </h1>
          {instead}
          {about && <p className={css["about"]}>{about}</p>}
        </div>
        {actions && <div className={css["actions"]}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
