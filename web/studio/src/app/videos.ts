// What this tab learns of videos that come and go, for the lists that show them.

type Told = {
  /** There are videos that no list shows yet. */
  made?: () => void;
  /** Videos were deleted, or can no longer be read. */
  gone?: (ids: readonly string[]) => void;
  /** Videos are back from the trash. */
  back?: (ids: readonly string[]) => void;
};

const listeners = new Set<Told>();

export const videosMade = (): void => listeners.forEach((listener) => listener.made?.());
export const videosGone = (ids: readonly string[]): void => listeners.forEach((listener) => listener.gone?.(ids));
export const videosBack = (ids: readonly string[]): void => listeners.forEach((listener) => listener.back?.(ids));

export function onVideos(told: Told): () => void {
  listeners.add(told);
  return () => void listeners.delete(told);
}
