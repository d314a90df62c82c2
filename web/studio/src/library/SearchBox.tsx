import { useEffect, useRef, useState } from "react";

import { Icon } from "../ui/Icon";
import css from "./Library.module.css";

/** SearchBox searches while somebody types. The slash key leads to it. */
export function SearchBox({ text, onText }: { text: string; onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const [told, setTold] = useState(text);

  // The address changed by itself, as on the way back.
  if (text !== told) {
    setTold(text);
    setTyped(text);
  }

  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => {
      setTold(typed);
      onText(typed);
    }, 250);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { target } = event;
      if (event.key !== "/" || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
      if (target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]")) return;
      event.preventDefault();
      input.current?.focus();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <search className={css["search"]}>
      <Icon name="search" size={18} />
      <input ref={input} type="search" aria-label="Search" aria-keyshortcuts="/" placeholder="Search names and speech" maxLength={200} dir="auto" value={typed} onChange={(event) => setTyped(event.target.value)} onKeyDown={(event) => event.key === "Enter" && (setTold(typed), onText(typed))} />
    </search>
  );
}
