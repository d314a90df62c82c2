// Where each screen was scrolled to, for the way back. The browser cannot do it: what is drawn comes later.

const places = new Map<string, number>();
let at = location.pathname;
let back = false;

history.scrollRestoration = "manual";
addEventListener("popstate", () => (back = true));
addEventListener("scroll", () => places.set(at, scrollY), { passive: true });

/** startAt scrolls a screen to its beginning or, on the way back, to where it was. */
export function startAt(path: string): void {
  const place = back ? (places.get(path) ?? 0) : 0;
  at = path;
  back = false;
  // The list has its height only after it is drawn.
  scrollTo(0, place);
  if (place) requestAnimationFrame(() => scrollTo(0, place));
}
