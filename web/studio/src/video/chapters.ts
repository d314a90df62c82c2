export type Chapter = { title: string; description: string; timestampSeconds: number };

/** placed adds a chapter in its place; null if there is one at that time. */
export function placed(chapters: readonly Chapter[], chapter: Chapter): Chapter[] | null {
  if (chapters.some((other) => other.timestampSeconds === chapter.timestampSeconds)) return null;
  return [...chapters, chapter].sort((a, b) => a.timestampSeconds - b.timestampSeconds);
}

/** without removes the chapter at a time. */
export const without = (chapters: readonly Chapter[], seconds: number): Chapter[] => chapters.filter((chapter) => chapter.timestampSeconds !== seconds);
