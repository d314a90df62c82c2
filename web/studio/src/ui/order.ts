/** moved returns the list with the item at one index moved to another. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  next.splice(Math.max(0, Math.min(next.length, to)), 0, item!);
  return next;
}

/**
 * target returns the index to which a dragged row would move: the row whose middle its own middle has passed. tops and
 * heights are those before the drag.
 */
export function target(rows: readonly { top: number; height: number }[], from: number, by: number): number {
  const own = rows[from]!;
  const middle = own.top + own.height / 2 + by;
  let to = from;
  while (to < rows.length - 1 && middle > rows[to + 1]!.top + rows[to + 1]!.height / 2) to++;
  while (to > 0 && middle < rows[to - 1]!.top + rows[to - 1]!.height / 2) to--;
  return to;
}
