/**
 * Slots lets only some things happen at a time, in the order in which they were asked for. Pictures that the server has yet
 * to make keep a connection busy for seconds, and browsers open only six to a server.
 */
export class Slots {
  #free: number;
  #queue: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** take calls back when it is this one's turn. What it returns gives the slot back, or leaves the queue. */
  take(begin: () => void): () => void {
    let state: "waiting" | "has" | "gone" = "waiting";
    const turn = () => {
      state = "has";
      begin();
    };

    if (this.#free > 0) {
      this.#free--;
      turn();
    } else {
      this.#queue.push(turn);
    }

    return () => {
      if (state === "waiting") this.#queue = this.#queue.filter((other) => other !== turn);
      else if (state === "has") this.#release();
      state = "gone";
    };
  }

  #release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}
