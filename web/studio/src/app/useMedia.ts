import { useSyncExternalStore } from "react";

/** useMedia reports whether a media query holds. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** usePhone reports whether the navigation has no room beside the screen. */
export const usePhone = (): boolean => useMedia("(max-width: 819px)");
