// The state of the person's session. When it has ended, requests wait until they have signed in again, so that nothing
// that they typed is lost.

type Listener = () => void;

const listeners = new Set<Listener>();
let ended = false;

function set(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of [...listeners]) listener();
}

export const session = {
  isEnded: () => ended,
  end: () => set(true),
  /** resume lets the waiting requests go on. */
  resume: () => set(false),
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
