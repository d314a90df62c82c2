import { useEffect, useState } from "react";

import { Button } from "./Button";
import type { IconName } from "./Icon";
import { toast } from "./toast";

type Props = {
  /** The name of the button, which stays the same. */
  children: string;
  /** What is copied. A function is asked at the click. */
  text: string | (() => string);
  /** What the status says then. */
  said?: string;
  icon?: IconName;
  look?: "plain" | "strong" | "quiet";
  compact?: boolean;
};

/** copy puts a text on the clipboard and says so. */
export async function copy(text: string, said: string): Promise<boolean> {
  try {
    // Over plain HTTP browsers have no clipboard, but still the old command.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyOld(text);
    toast(said);
    return true;
  } catch {
    toast(`The browser did not allow copying. Copy it yourself: ${text}`, { problem: true, lasts: 30_000 });
    return false;
  }
}

function copyOld(text: string): void {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  const open = document.querySelectorAll("dialog[open]");
  (open[open.length - 1] ?? document.body).append(field); // what is behind a dialog cannot be selected
  const focused = document.activeElement;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!done) throw new Error("not allowed");
}

export function CopyButton({ children, text, said = "Copied", icon = "link", look, compact }: Props) {
  const [done, setDone] = useState(false);

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [done]);

  return (
    <Button look={look} compact={compact} icon={done ? "check" : icon} onClick={() => void copy(typeof text === "string" ? text : text(), said).then(setDone)}>
      {children}
    </Button>
  );
}
