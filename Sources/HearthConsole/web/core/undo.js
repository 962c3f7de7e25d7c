// Work that is large or cannot be put back piece by piece: a snapshot is made before it.

import { call, own } from "./api.js";
import { dialog, say } from "./forms.js";
import { hint } from "./dom.js";

/** The operations that change nothing. */
const reads = /\.(get|list\w*|lookup|query|run\w*|batchGet|listen|beginTransaction|rollback)$/;

/** The requests of apps after one: the console's own are not among them. */
async function requestsSince(project, id) {
  const { requests = [] } = await call("GET", own(project, `requests?after=${id}`));
  return requests;
}

const newest = async (project) => {
  const { requests = [] } = await call("GET", own(project, "requests?limit=1&all=true"));
  return requests.at(-1)?.id ?? 0;
};

/** Whether an app may have written since. */
const haveWritten = async (project, id) =>
  (await requestsSince(project, id)).some(({ method, operation, status }) =>
    method !== "GET" && status < 400 && !reads.test(operation)
  );

/** Asks whether to lose what happened since, and answers when that is decided. */
const asked = (work) =>
  new Promise((done) => {
    dialog(
      "Undo?",
      hint("The project becomes what it was before. What apps have written since is lost."),
      "Undo",
      async () => {
        await work();
        done();
      },
      "danger",
    );
  });

/**
 * Makes a snapshot, does the work, and answers what undoes it, where there is a snapshot.
 */
export async function undoable(project, reason, work) {
  const made = await call("POST", own(project, "snapshots:automatic"), { body: { reason } })
    .catch(() => null);
  await work();
  if (!made) return undefined;
  const since = await newest(project);
  const restore = () =>
    call("POST", own(project, `snapshots/${encodeURIComponent(made.name)}:restore`), {
      body: { keepClock: true },
    });
  return async () => (await haveWritten(project, since) ? asked(restore) : restore());
}

/** Does what changes the faults; they can be put back, and go on counting where they were. */
export async function withFaults(project, words, work) {
  const path = own(project, "faults");
  const { faults = [] } = await call("GET", path);
  await work(path);
  say(words, () => call("PUT", path, { body: { faults, keepHits: true } }));
}

/** Adds an index; the list can be put back. */
export async function addIndex(path, body) {
  const before = await call("GET", path);
  await call("POST", `${path}:add`, { body });
  say("The index was added to the project.", () => call("PUT", path, { body: before }));
}

/**
 * Does what cannot be taken back when its *Undo* is over, or the page is left. Answers what does it at
 * once.
 */
export function later(words, work, kept) {
  const stop = () => {
    clearTimeout(timer);
    removeEventListener("pagehide", go);
  };
  const go = () => {
    stop();
    return work();
  };
  const timer = setTimeout(go, 15_000);
  addEventListener("pagehide", go);
  say(words, () => {
    stop();
    return kept();
  });
  return go;
}
