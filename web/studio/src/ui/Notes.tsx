import type { ReactNode } from "react";
import type { CombinedError } from "urql";

import { messageOf } from "../graph/errors";
import { Button } from "./Button";
import { Icon, type IconName } from "./Icon";
import css from "./Notes.module.css";

/** Empty says that there is nothing yet, and what to do. */
export function Empty({ icon, title, children, actions }: { icon: IconName; title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={css["empty"]}>
      <span className={css["emblem"]}>
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {children && <p className={css["quiet"]}>{children}</p>}
      {actions && <div className={css["actions"]}>{actions}</div>}
    </div>
  );
}

/** ErrorNote says what went wrong where the content would be. */
export function ErrorNote({ error, onRetry }: { error: CombinedError | string; onRetry?: () => void }) {
  return (
    <div role="alert" className={css["error"]}>
      <Icon name="alert" />
      <p>{typeof error === "string" ? error : messageOf(error)}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Loading is announced once, for content that is not there yet. */
export function Loading({ what = "Loading" }: { what?: string }) {
  return (
    <p role="status" className={css["loading"]}>
      {what}…
    </p>
  );
}
