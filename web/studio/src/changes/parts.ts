/** How many videos one mutation takes. */
const most = 100;

/** inParts cuts ids into lists that one mutation takes. */
export function inParts(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / most) }, (_, i) => ids.slice(i * most, (i + 1) * most));
}
