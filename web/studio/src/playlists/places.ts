type Placed = { id: string; position: number };

/** placeBefore returns the position at which an item stands in front of another one of the same list, or at its end. */
export function placeBefore<T extends Placed>(list: readonly T[], item: T, before: T | null): number {
  const others = list.filter(({ id }) => id !== item.id);
  const at = before ? others.findIndex(({ id }) => id === before.id) : -1;
  return at < 0 ? others.length : at;
}

/** placed returns the list with the item at a position, and with the positions that follow from it. */
export function placed<T extends Placed>(list: readonly T[], item: T, position: number): T[] {
  const others = list.filter(({ id }) => id !== item.id);
  return [...others.slice(0, position), item, ...others.slice(position)].map((one, at) => ({ ...one, position: at }));
}
