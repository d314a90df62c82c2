import css from "./Notes.module.css";

/** Progress shows how much is done, from 0 to 1; null while it is not known. */
export function Progress({ label, value }: { label: string; value: number | null }) {
  return <progress className={css["progress"]} aria-label={label} {...(value !== null && { value: Math.min(1, Math.max(0, value)) })} max={1} />;
}
