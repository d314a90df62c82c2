import { useEffect, useRef, type ReactNode } from "react";

import { classes } from "../ui/classes";
import css from "./Screen.module.css";

let visits = 0;

type Props = {
  /** The heading, and the title of the tab. */
  title: string;
  /** What stands beside the heading: buttons, a search box. */
  actions?: ReactNode;
  /** A line below the heading. */
  about?: ReactNode;
  width?: "narrow" | "full";
  children: ReactNode;
};

/** Screen is what the shell shows for an address. After a move to another screen the focus is on its heading. */
export function Screen({ title, actions, about, width = "full", children }: Props) {
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
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {about && <p className={css["about"]}>{about}</p>}
        </div>
        {actions && <div className={css["actions"]}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
