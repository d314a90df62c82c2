// The grid draws only the rows near the window. Rows are equally high, so that where each row is follows from its number.

export type Layout = { columns: number; cell: number; row: number };

export const gap = 20;
const text = 84; // the name in at most two lines and a line about it, with their distances; VideoCard.module.css has the same

/** layoutOf fits as many columns into a width as leave each at least 220 px, at most 6, and one on a phone. */
export function layoutOf(width: number): Layout {
  const columns = Math.max(1, Math.min(6, Math.floor((width + gap) / (236 + gap))));
  const cell = (width - gap * (columns - 1)) / columns;
  return { columns, cell, row: Math.round((cell * 9) / 16) + text + gap };
}

/**
 * rowsIn returns the first row to draw and the one behind the last, for a window that shows the pixels from top to bottom
 * of the grid. Some rows on each side are drawn ahead.
 */
export function rowsIn({ row }: Layout, rows: number, top: number, bottom: number, ahead = 3): [from: number, to: number] {
  const from = Math.max(0, Math.min(rows, Math.floor(top / row)) - ahead);
  const to = Math.min(rows, Math.max(0, Math.ceil(bottom / row)) + ahead);
  return [Math.min(from, Math.max(0, rows - 1)), Math.max(to, Math.min(rows, 1))];
}

/** between returns the ids from one item to another, in the order of the list. */
export function between(ids: readonly string[], one: string, other: string): string[] {
  const [a, b] = [ids.indexOf(one), ids.indexOf(other)];
  if (a < 0 || b < 0) return [other];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}
