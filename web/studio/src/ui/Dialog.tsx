import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

import { Button } from "./Button";
import { classes } from "./classes";
import css from "./Dialog.module.css";

type Props = {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the end. The last one is the most important. */
  actions?: ReactNode;
  width?: "narrow" | "wide";
  /** "side" slides in from the left, for navigation on a phone. */
  place?: "middle" | "side";
  /** A click beside the dialog closes it. Leave it out where text is typed. */
  light?: boolean;
  /** Without it the dialog cannot be closed by the person, only by what it does. */
  closable?: boolean;
};

/** Dialog is open while it is mounted. The focus goes to the first [data-first] or else to the first field, and back at the end. */
export function Dialog({ title, onClose, children, actions, width = "narrow", place = "middle", light, closable = true }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    const first = dialog.querySelector<HTMLElement>("[data-first]") ?? dialog.querySelector<HTMLElement>("input:not([type=hidden]), textarea, select");
    first?.focus();
    return () => dialog.close(); // gives the focus back
  }, []);

  return (
    <dialog
      ref={ref}
      className={classes(css["dialog"], css[width], css[place])}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (event.target !== ref.current) return; // of a file input inside
        event.preventDefault();
        if (closable) onClose();
      }}
      onPointerDown={(event) => {
        if (light && event.target === ref.current) onClose();
      }}
    >
      <div className={css["inside"]}>
        <header className={css["head"]}>
          <h2 id={heading}>{title}</h2>
          {closable && (
            <Button icon="close" compact look="quiet" onClick={onClose}>
              Close
            </Button>
          )}
        </header>
        <div className={css["body"]}>{children}</div>
        {actions && <footer className={css["actions"]}>{actions}</footer>}
      </div>
    </dialog>
  );
}
