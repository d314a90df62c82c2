export type Piece = { text: string; found: boolean };

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * pieces divides a text into what matches a search, ignoring case and accents, and the rest; null if nothing matches. All
 * words must be there, in any order.
 */
export function pieces(text: string, search: string): Piece[] | null {
  const words = plain(search).split(/\s+/).filter(Boolean);
  if (!words.length) return [{ text, found: false }];

  // Each character by itself, so that positions in the plain text are positions in the text.
  const chars = [...text];
  const starts: number[] = [];
  let flat = "";
  for (const char of chars) {
    starts.push(flat.length);
    flat += plain(char);
  }

  const marked = new Array<boolean>(chars.length).fill(false);
  for (const word of words) {
    let at = flat.indexOf(word);
    if (at < 0) return null;
    for (; at >= 0; at = flat.indexOf(word, at + word.length)) {
      for (let i = 0; i < chars.length; i++) if (starts[i]! >= at && starts[i]! < at + word.length) marked[i] = true;
    }
  }

  const all: Piece[] = [];
  chars.forEach((char, i) => {
    const last = all.at(-1);
    if (last && last.found === marked[i]) last.text += char;
    else all.push({ text: char, found: marked[i]! });
  });
  return all;
}

/** currentOf returns the index of the sentence that is spoken at a time, or was spoken last; -1 before the first. */
export function currentOf(sentences: readonly { startSeconds: number }[], ms: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sentences[middle]!.startSeconds * 1000 <= ms + 50) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
