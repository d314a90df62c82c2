// What this tab learns of videos that come and go, for the lists that show them.

type Told = {
  /** There are videos that no list shows yet. */
  made?: () => void;
  /** Videos were changed by somebody, or can be read since. */
  changed?: (ids: readonly string[]) => void;
  /** Videos were deleted, or can no longer be read. */
  gone?: (ids: readonly string[]) => void;
  /** Videos are back from the trash. */
  back?: (ids: readonly string[]) => void;
  /** Changes may have been missed. What is on the screen is read again without it. */
  missed?: () => void;
};

const listeners = new Set<Told>();

export const videosMade = (): void => listeners.forEach((listener) => listener.made?.());
export const videosChanged = (ids: readonly string[]): void => listeners.forEach((listener) => listener.changed?.(ids));
export const videosGone = (ids: readonly string[]): void => listeners.forEach((listener) => listener.gone?.(ids));
export const videosBack = (ids: readonly string[]): void => listeners.forEach((listener) => listener.back?.(ids));
export const videosMissed = (): void => listeners.forEach((listener) => listener.missed?.());

export function onVideos(told: Told): () => void {
  listeners.add(told);
  return () => void listeners.delete(told);
}
