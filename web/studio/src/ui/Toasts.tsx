import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

import { Button } from "./Button";
import { classes } from "./classes";
import css from "./Toasts.module.css";
import { dismiss, toasts, type Toast } from "./toast";

/** Toasts is the status region of the whole studio. It lies above dialogs. */
export function Toasts() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.now);
  const ref = useRef<HTMLDivElement>(null);

  // What was opened last lies on top, so it is opened again for each message.
  useLayoutEffect(() => {
    const region = ref.current;
    if (region?.matches(":popover-open")) region.hidePopover();
    region?.showPopover();
  }, [shown]);

  return (
    <div ref={ref} popover="manual" role="status" className={css["region"]}>
      {shown.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function Message({ toast }: { toast: Toast }) {
  const [held, hold] = useState(false);

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(toast.id), toast.lasts);
    return () => clearTimeout(timer);
  }, [held, toast]);

  return (
    <div
      className={classes(css["toast"], toast.problem && css["problem"])}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <p>{toast.text}</p>
      {toast.action && (
        <Button
          look="quiet"
          onClick={() => {
            dismiss(toast.id);
            toast.action!.run();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      {toast.problem && (
        <Button look="quiet" icon="close" compact onClick={() => dismiss(toast.id)}>
          Dismiss
        </Button>
      )}
    </div>
  );
}
