import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";

import { classes } from "./classes";
import css from "./Button.module.css";
import { Icon, type IconName } from "./Icon";

type Look = "plain" | "strong" | "quiet" | "danger";

type Shared = {
  look?: Look | undefined;
  icon?: IconName | undefined;
  /** Shows only the icon. The label is then the name for screen readers, and a tip. */
  compact?: boolean | undefined;
  children: ReactNode;
};

const classOf = ({ look = "plain", compact }: Pick<Shared, "look" | "compact">, more?: string) =>
  classes(css["button"], css[look], compact && css["compact"], more);

function Inside({ icon, compact, children }: Shared) {
  return (
    <>
      {icon && <Icon name={icon} size={compact ? 20 : 18} />}
      {compact ? <span className={css["away"]}>{children}</span> : <span className={css["label"]}>{children}</span>}
    </>
  );
}

type ButtonProps = Shared & Omit<ComponentProps<"button">, "children"> & { /** The action is running; the button starts no other. */ busy?: boolean };

/** Button does something on this page. */
export function Button({ look, icon, compact, busy, className, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(compact && typeof children === "string" && { title: children })}
      {...(busy && { "aria-busy": true, "aria-disabled": true })}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classOf({ look, compact }, className)}
    >
      <Inside icon={icon} compact={compact}>
        {children}
      </Inside>
    </button>
  );
}

/** ButtonLink looks like a button and leads to another screen. */
export function ButtonLink({ to, look, icon, compact, children }: Shared & { to: string }) {
  return (
    <Link href={to} className={classOf({ look, compact })}>
      <Inside icon={icon} compact={compact}>
        {children}
      </Inside>
    </Link>
  );
}
