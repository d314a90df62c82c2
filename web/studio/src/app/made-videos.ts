// Told when this tab made a video, so that the list shows it.

const listeners = new Set<() => void>();

export function videoMade(): void {
  for (const listener of [...listeners]) listener();
}

export function onVideoMade(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
