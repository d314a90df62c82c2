// Where each screen was scrolled to, for the way back. The browser cannot do it: what is drawn comes later.

const places = new Map<string, number>();
let at = location.pathname;
let back = false;

history.scrollRestoration = "manual";
addEventListener("popstate", () => (back = true));
addEventListener("scroll", () => places.set(at, scrollY), { passive: true });

/** startAt scrolls a screen to its beginning or, on the way back, to where it was. It returns how to give that up. */
export function startAt(path: string): () => void {
  const place = back ? (places.get(path) ?? 0) : 0;
  at = path;
  back = false;
  scrollTo(0, place);

  // A list has its height only after it is drawn.
  const observer = new ResizeObserver(() => {
    scrollTo(0, place);
    if (scrollY >= place - 1) stop();
  });
  const timer = setTimeout(stop, 3_000);
  function stop() {
    clearTimeout(timer);
    observer.disconnect();
    for (const event of ["wheel", "touchmove", "keydown"]) removeEventListener(event, stop);
  }

  if (place) {
    observer.observe(document.body);
    for (const event of ["wheel", "touchmove", "keydown"]) addEventListener(event, stop, { passive: true });
  } else {
    stop();
  }
  return stop;
}
