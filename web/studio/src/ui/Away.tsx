import css from "./Button.module.css";

/** Away holds words for screen readers only. */
export function Away({ children, as: As = "span" }: { children: React.ReactNode; as?: "span" | "h2" | "p" }) {
  return <As className={css["away"]}>{children}</As>;
}
