// What a view shows of the server: read when it is asked for, kept up to date by events.

/** A question to the server, and its latest answer: see `live`. */
class Question {
  #hearers = new Set();
  /** How many reads have begun; the one whose answer is shown; that of the latest parameters. */
  #begun = 0;
  #taken = 0;
  #asked = 0;
  /** The reads that are under way, with what events have changed since they began. */
  #underWay = new Map();
  state = { value: undefined, error: null, parameters: undefined, isReading: false };

  /** @param {{ signal?: AbortSignal, interval?: number }} options */
  constructor(read, options) {
    const { signal, interval = 300 } = options;
    this.read = read;
    this.signal = signal;
    /** Asks again, at most once in each interval. */
    this.soon = paced(this.refresh, interval);
  }

  #tell(changes) {
    this.state = { ...this.state, ...changes };
    for (const hear of [...this.#hearers]) hear(this.state);
  }

  async #begin() {
    const number = ++this.#begun;
    this.#underWay.set(number, []);
    this.#tell({ isReading: true });
    const answer = await this.#answer(number);
    this.#underWay.delete(number);
    if (this.signal?.aborted || answer.error?.name === "AbortError") return;
    const isLate = number < this.#asked || number < this.#taken;
    if (!isLate) this.#taken = number;
    this.#tell({ ...(!isLate && answer), isReading: this.#underWay.size > 0 });
  }

  async #answer(number) {
    try {
      const value = await this.read(this.state.parameters, this.signal);
      // What an event told meanwhile may be missing in the answer.
      const missed = this.#underWay.get(number);
      return { value: missed.reduce((one, change) => change(one), value), error: null };
    } catch (error) {
      return { error };
    }
  }

  /** Asks again, once it was asked at all. */
  refresh = () => (this.#asked ? this.#begin() : Promise.resolve());

  /** Calls `hear(state)` now and with each new state, until the signal aborts. */
  subscribe(hear, until = this.signal) {
    this.#hearers.add(hear);
    until?.addEventListener("abort", () => this.#hearers.delete(hear));
    hear(this.state);
  }

  /** Asks with other parameters. The promise ends when that is answered or given up. */
  ask(parameters) {
    this.state = { ...this.state, parameters };
    this.#asked = this.#begun + 1;
    return this.#begin();
  }

  /** Changes the value as an event says; `change` may be applied twice to the same. */
  update(change) {
    for (const missed of this.#underWay.values()) missed.push(change);
    const { value } = this.state;
    if (value !== undefined) this.#tell({ value: change(value) });
  }

  /** Asks again when something happens whose name fits, and when events were missed. */
  follow(hear, pattern) {
    hear((event, data) => {
      if (/^(sync|poll)$/.test(event) || pattern.test(event, data)) this.soon();
    });
  }
}

/**
 * A question to the server, and its latest answer.
 *
 * Subscribers hear each new state: `{ value, error, parameters, isReading }`. Late answers are
 * dropped. The value stays until there is another.
 *
 * @param {(parameters: any, signal?: AbortSignal) => Promise<any>} read
 * @param {{ signal?: AbortSignal, interval?: number }} options
 */
export const live = (read, options = {}) => new Question(read, options);

/**
 * Calls `work` soon, at most once in each interval, and again when it was asked for meanwhile.
 */
export function paced(work, interval) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = -Infinity;
  let isWorking = false;
  let isWanted = false;
  return function ask() {
    isWanted = isWorking;
    if (timer) return;
    timer = setTimeout(async () => {
      isWorking = true;
      try {
        await work();
      } finally {
        isWorking = false;
        last = performance.now();
        timer = undefined;
        if (isWanted) ask();
      }
    }, Math.max(30, last + interval - performance.now()));
  };
}

/** Calls `work` once, a moment after the last of many calls. */
export function settled(work, delay = 100) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, delay);
  };
}
