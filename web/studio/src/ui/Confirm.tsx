import { useState, type ReactNode } from "react";

import { Button } from "./Button";
import { Dialog } from "./Dialog";

type Props = {
  /** What is asked, which is also the name of the button. */
  title: string;
  onClose: () => void;
  /** Does it. The dialog stays open while it runs. */
  onConfirm: () => Promise<void>;
  children: ReactNode;
};

/** Confirm asks before something that cannot be undone. */
export function Confirm({ title, onClose, onConfirm, children }: Props) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    await onConfirm();
    setBusy(false);
    onClose();
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button data-first onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" busy={busy} onClick={() => void confirm()}>
            {title}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
