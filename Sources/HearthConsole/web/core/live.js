// What a view shows of the server: read when it is asked for, kept up to date by events.

/**
 * A question to the server, and its latest answer.
 *
 * Subscribers hear each new state: `{ value, error, parameters, isReading }`. Late answers are
 * dropped. The value stays until there is another.
 *
 * @param {(parameters: any, signal?: AbortSignal) => Promise<any>} read
 * @param {{ signal?: AbortSignal, interval?: number }} options
 */
export function live(read, { signal, interval = 300 } = {}) {
  const hearers = new Set();
  let state = { value: undefined, error: null, parameters: undefined, isReading: false };
  /** How many reads have begun; the one whose answer is shown; that of the latest parameters. */
  let begun = 0;
  let taken = 0;
  let asked = 0;
  /** The reads that are under way, with what events have changed since they began. */
  const underWay = new Map();

  function tell(changes) {
    state = { ...state, ...changes };
    for (const hear of [...hearers]) hear(state);
  }

  async function begin() {
    const number = ++begun;
    underWay.set(number, []);
    tell({ isReading: true });
    let answer;
    try {
      const value = await read(state.parameters, signal);
      // What an event told meanwhile may be missing in the answer.
      const missed = underWay.get(number);
      answer = { value: missed.reduce((one, change) => change(one), value), error: null };
    } catch (error) {
      answer = { error };
    }
    underWay.delete(number);
    if (signal?.aborted || answer.error?.name === "AbortError") return;
    const isLate = number < asked || number < taken;
    if (!isLate) taken = number;
    tell({ ...(!isLate && answer), isReading: underWay.size > 0 });
  }

  const refresh = () => (asked ? begin() : Promise.resolve());
  const soon = paced(refresh, interval);
  return {
    get state() {
      return state;
    },
    /** Calls `hear(state)` now and with each new state, until the signal aborts. */
    subscribe(hear, until = signal) {
      hearers.add(hear);
      until?.addEventListener("abort", () => hearers.delete(hear));
      hear(state);
    },
    /** Asks with other parameters. The promise ends when that is answered or given up. */
    ask(parameters) {
      state = { ...state, parameters };
      asked = begun + 1;
      return begin();
    },
    /** Asks again, once it was asked at all. */
    refresh,
    /** Asks again, at most once in each interval. */
    soon,
    /** Changes the value as an event says; `change` may be applied twice to the same. */
    update(change) {
      for (const missed of underWay.values()) missed.push(change);
      if (state.value !== undefined) tell({ value: change(state.value) });
    },
    /** Asks again when something happens whose name fits, and when events were missed. */
    follow(hear, pattern) {
      hear((event, data) => {
        if (/^(sync|poll)$/.test(event) || pattern.test(event, data)) soon();
      });
    },
  };
}

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
