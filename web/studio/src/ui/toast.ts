// Short messages at the edge of the window. Toasts.tsx shows them.

export type Toast = {
  id: number;
  text: string;
  problem?: boolean;
  /** A button, such as Undo. */
  action?: { label: string; run: () => void };
  /** How long it stays, in milliseconds. It stays while the pointer or the focus is on it. */
  lasts: number;
};

let shown: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  shown = next;
  for (const listener of [...listeners]) listener();
}

/** toast shows a message. The same text replaces itself. */
export function toast(text: string, more: Partial<Omit<Toast, "id" | "text">> = {}): number {
  const id = ++last;
  const lasts = more.lasts ?? (more.action ? 10_000 : more.problem ? 8_000 : 4_000);
  set([...shown.filter((other) => other.text !== text), { ...more, id, text, lasts }].slice(-4));
  return id;
}

export const dismiss = (id: number): void => set(shown.filter((toast) => toast.id !== id));

export const toasts = {
  now: () => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
