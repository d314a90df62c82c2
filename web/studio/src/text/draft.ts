import { useCallback, useState } from "react";

const prefix = "draft:";

/**
 * useDraft is useState for text that a person types. The text outlives a reload of the page, as after an upgrade of the
 * server. Call the last function when it has been saved or discarded. The key must name the thing that is edited.
 */
export function useDraft(key: string, initial = ""): [text: string, set: (text: string) => void, done: () => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(prefix + key) ?? initial);

  const set = useCallback(
    (next: string) => {
      setText(next);
      sessionStorage.setItem(prefix + key, next);
    },
    [key],
  );
  const done = useCallback(() => sessionStorage.removeItem(prefix + key), [key]);

  return [text, set, done];
}
