import type { ReactNode } from "react";

import css from "./Rows.module.css";

/** Rows is a list of things with their actions. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className={css["rows"]}>
      {children}
    </ul>
  );
}

type Props = { title: ReactNode; about?: ReactNode; badge?: ReactNode; actions?: ReactNode; children?: ReactNode };

/** Row is one of them. */
export function Row({ title, about, badge, actions, children }: Props) {
  return (
    <li className={css["row"]}>
      <div className={css["line"]}>
        <div className={css["text"]}>
          <p className={css["title"]}>
            <bdi>{title}</bdi> {badge}
          </p>
          {about && <p className={css["about"]}>{about}</p>}
        </div>
        {actions && <div className={css["actions"]}>{actions}</div>}
      </div>
      {children}
    </li>
  );
}

/** Badge is a short word about the state of a thing. */
export function Badge({ tone = "quiet", children }: { tone?: "quiet" | "good" | "bad"; children: ReactNode }) {
  return <span className={css[tone]}>{children}</span>;
}

/** Part is a titled part of a screen. */
export function Part({ title, about, actions, children }: { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={css["part"]} aria-label={title}>
      <div className={css["head"]}>
        <h2>{title}</h2>
        {actions && <div className={css["actions"]}>{actions}</div>}
      </div>
      {about && <p className={css["about"]}>{about}</p>}
      {children}
    </section>
  );
}
