type Named = { id: string; name: string };

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

/**
 * matching returns the choices whose names contain a text, ignoring case and accents, those that begin with it first.
 * Picked ones are left out. fresh is the text itself if it may become a new choice.
 */
export function matching<C extends Named>(choices: readonly C[], picked: readonly Named[], text: string, creates: boolean): { found: C[]; fresh: string | null } {
  const wanted = plain(text);
  const taken = new Set(picked.map((choice) => choice.id));
  const found = choices.filter((choice) => !taken.has(choice.id) && plain(choice.name).includes(wanted));
  const begins = (choice: C) => (plain(choice.name).startsWith(wanted) ? 0 : 1);
  const known = [...choices, ...picked].some((choice) => choice.name.trim().toLowerCase() === text.trim().toLowerCase());
  return { found: found.sort((a, b) => begins(a) - begins(b)), fresh: creates && wanted && !known ? text.trim() : null };
}
