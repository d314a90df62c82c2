import type { CombinedError } from "urql";

// The list of videos as it is walked: page after page, each its own query, of which only those near what is seen are
// open. The server's cursors promise that each video comes exactly once, however others edit meanwhile.

export type Read<T> =
  /** stale items are from the cache; the server's follow. */
  | { items: T[]; end: string | null; more: boolean; stale?: boolean }
  | { error: CombinedError };

/**
 * Opens the page after a cursor, and calls back with what it holds, now and whenever it changes. Returns how to close it.
 * A fresh page does not come from the cache.
 */
export type Reader<T> = (after: string | null, fresh: boolean, onRead: (read: Read<T>) => void) => () => void;

export type Seen<T> = {
  items: readonly T[];
  /** The first page has not been read yet. */
  waiting: boolean;
  /** There are more pages. */
  more: boolean;
  /** The server's list has changed since the walk began. A restart shows it. */
  outdated: boolean;
  error: CombinedError | null;
};

type Page<T> = { after: string | null; items: T[]; end: string | null; more: boolean; close: (() => void) | null };

/** How many pages beside the seen ones stay open. */
const beside = 1;

export class Walk<T extends { id: string }> {
  #pages: Page<T>[] = [];
  #hidden = new Set<string>();
  #old = new Set<string>(); // items that were changed since they were read
  #error: CombinedError | null = null;
  #waiting = true;
  #outdated = false;
  #seen: Seen<T> | null = null;
  #looks: [from: number, to: number] = [0, 0];
  #next: Page<T>[] | null = null; // a new walk whose first page is being read
  #listeners = new Set<() => void>();
  #read: Reader<T>;
  #reread: (ids: string[]) => void;

  /** Items whose values are old are given to reread as soon as they are near what is seen. */
  constructor(read: Reader<T>, reread: (ids: string[]) => void = () => undefined) {
    this.#read = read;
    this.#reread = reread;
  }

  subscribe = (listener: () => void): (() => void) => {
    if (!this.#listeners.size) this.#open();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (!this.#listeners.size) this.#closeAll();
    };
  };

  seen = (): Seen<T> => {
    this.#seen ??= {
      items: unique(this.#pages.flatMap((page) => page.items)).filter((item) => !this.#hidden.has(item.id)),
      waiting: this.#waiting,
      more: this.#pages.at(-1)?.more ?? false,
      outdated: this.#outdated,
      error: this.#error,
    };
    return this.#seen;
  };

  /** look says which items are on the screen. Their pages are kept open, and the next page is read before it is needed. */
  look(from: number, to: number): void {
    this.#looks = [from, to];
    this.#open();
  }

  /** hide leaves items out, such as those that are being deleted. */
  hide(ids: Iterable<string>): void {
    for (const id of ids) this.#hidden.add(id);
    this.#changed();
    this.#open();
  }

  /** unhide shows them again, where they were. */
  unhide(ids: Iterable<string>): void {
    for (const id of ids) if (this.#hidden.delete(id) && !this.has(id)) this.#outdated = true;
    this.#changed();
  }

  /** restart begins anew, with what was made since. What is shown stays until the new first page is there. */
  restart(): void {
    this.#closeNext();
    this.#error = null;
    this.#next = [];
    this.#openPage(this.#next, null, true);
    this.#changed();
  }

  /** outdate notes that something belongs into the list that is not in it. */
  outdate(): void {
    if (this.#outdated) return;
    this.#outdated = true;
    this.#changed();
  }

  /** changed notes that items have new values. What the list does not have may belong into it. */
  changed(ids: Iterable<string>): void {
    for (const id of ids) {
      if (this.has(id) || this.#hidden.has(id)) this.#old.add(id);
      else this.outdate();
    }
    this.#renew();
  }

  /** settle hears which of the items that were read again are still there. */
  settle(asked: readonly string[], there: readonly string[]): void {
    this.unhide(there);
    this.hide(asked.filter((id) => !there.includes(id)));
  }

  /** missed notes that anything may have changed. Open pages are read again by others. */
  missed(): void {
    for (const page of this.#pages) if (!page.close) for (const { id } of page.items) this.#old.add(id);
    if (this.#pages[0] && !this.#pages[0].close) this.outdate();
  }

  /** retry reads again after an error. */
  retry(): void {
    this.#error = null;
    if (this.#waiting) this.restart();
    else this.#open();
    this.#changed();
  }

  has(id: string): boolean {
    return this.#pages.some((page) => page.items.some((item) => item.id === id));
  }

  #openPage(pages: Page<T>[], after: string | null, fresh: boolean, at = pages.length): void {
    const page = (pages[at] ??= { after, items: [], end: null, more: true, close: null });
    let closed = false;
    let close: (() => void) | null = null;

    page.close = () => {
      closed = true;
      page.close = null;
      close?.();
    };
    // A reader may call back before it returns.
    close = this.#read(after, fresh, (read) => {
      if (!closed) this.#arrived(pages, page, read);
    });
    if (closed) close();
  }

  #arrived(pages: Page<T>[], page: Page<T>, read: Read<T>): void {
    if ("error" in read) {
      this.#error = read.error;
      if (!page.items.length) {
        page.close?.();
        if (pages === this.#next) this.#next = null;
        else if (pages.at(-1) === page) pages.pop();
      }
      this.#changed();
      return;
    }

    const begun = pages.length > 1 && page.end !== null && page.end !== read.end;
    if (begun) {
      // The first page of a newer walk. This one goes on as it began, with the new values of what it shows.
      const now = new Map(read.items.map((item) => [item.id, item]));
      page.items = page.items.map((item) => now.get(item.id) ?? item);
      this.#outdated = true;
    } else {
      page.items = read.items;
      page.more = read.more;
      page.end = read.stale ? null : read.end;
    }
    this.#error = null;
    this.#waiting = false;

    if (pages === this.#next) {
      this.#outdated = false;
      const old = this.#pages;
      this.#pages = pages;
      this.#next = null;
      for (const other of old) other.close?.();
    }
    this.#changed();
    this.#open();
  }

  /** Opens the pages near what is seen, and closes the others. */
  #open(): void {
    if (!this.#pages.length) {
      if (!this.#next && !this.#error) {
        this.#next = [];
        this.#openPage(this.#next, null, false);
      }
      return;
    }

    const [from, to] = this.#near();
    this.#pages.forEach((page, i) => {
      if (i >= from && i <= to && !page.close) this.#openPage(this.#pages, page.after, false, i);
      else if ((i < from || i > to) && page.close) page.close();
    });
    this.#renew();

    const last = this.#pages.at(-1)!;
    if (to >= this.#pages.length && last.more && last.end && last.items.length && !this.#error) this.#openPage(this.#pages, last.end, false);
  }

  /** Reads what is old where it is seen. Hidden items may be back. */
  #renew(): void {
    if (!this.#old.size) return;
    const near = this.#pages.flatMap((page) => (page.close ? page.items : [])).map(({ id }) => id);
    const ids = [...new Set([...near, ...this.#hidden])].filter((id) => this.#old.delete(id));
    if (ids.length) this.#reread(ids);
  }

  /** The pages to keep open, and one more when the next is needed. */
  #near(): [number, number] {
    const [from, to] = this.#looks;
    let [first, last, start] = [0, 0, 0];
    this.#pages.forEach((page, i) => {
      const shown = page.items.filter((item) => !this.#hidden.has(item.id)).length;
      if (start <= from) first = i;
      if (start <= to) last = i;
      start += shown;
    });
    return [first - beside, last + beside];
  }

  #closeNext(): void {
    for (const page of this.#next ?? []) page.close?.();
    this.#next = null;
  }

  #closeAll(): void {
    this.#closeNext();
    for (const page of this.#pages) page.close?.();
  }

  #changed(): void {
    this.#seen = null;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** unique leaves out repetitions, which orders without the server's promise may have. */
function unique<T extends { id: string }>(items: readonly T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}
