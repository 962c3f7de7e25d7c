// What happens in a project, live.

import { call, own } from "./api.js";
import { notifies } from "./notify.js";

const eventNames = [
  "message.captured",
  "message.changed",
  "message.deleted",
  "code.used",
  "user.created",
  "user.updated",
  "user.deleted",
  "user.signedIn",
  "users.imported",
  "request",
  "clock.changed",
  "faults.changed",
  "switches.changed",
  "keys.rotated",
  "indexes.missing",
  "rules.changed",
  "snapshots.changed",
  "settings.changed",
];

/** Whether nobody looks at the page, and nobody is to be notified. */
const isAway = () => document.hidden && !notifies();

/** Whether the server answers at all. */
const isThere = () =>
  call("GET", "/emulator/v1/projects").then(() => true, ({ status }) => status > 0);

/**
 * Calls `hear(name, data)` for what happens in the project, until the signal aborts.
 *
 * `sync`: events begin, or were missed. `lost`: the server does not answer; it is asked every second.
 * `poll`: every two seconds, without events. A hidden page closes its connection: browsers allow six
 * to a host.
 */
export function listen(project, signal, hear) {
  let source = null;
  let timer = 0;
  let polls = false;

  function stop() {
    source?.close();
    source = null;
    clearInterval(timer);
  }

  function poll() {
    polls = true;
    timer = setInterval(() => hear("poll"), 2000);
  }
  async function failed(isRefused) {
    stop();
    const answers = await isThere();
    if (signal.aborted || isAway()) return;
    if (answers && isRefused) return poll();
    if (answers) {
      timer = setTimeout(start, 300);
      return;
    }
    hear("lost");
    timer = setTimeout(() => failed(false), 1000);
  }

  function start() {
    stop();
    if (isAway()) return;
    if (polls) return poll();
    // Ten times a second: a message for each request would slow the app down.
    source = new EventSource(`${own(project, "events")}?every=100`);
    source.onopen = () => hear("sync");
    source.onerror = () => failed(source?.readyState === EventSource.CLOSED);
    for (const name of ["snapshot.restored", "project.deleted"]) {
      source.addEventListener(name, () => hear("sync"));
    }
    for (const name of eventNames) {
      source.addEventListener(name, (event) => hear(name, JSON.parse(event.data || "{}")));
    }
  }
  document.addEventListener("visibilitychange", () => {
    start();
    if (polls && !document.hidden) hear("poll");
  }, { signal });
  signal.addEventListener("abort", stop);
  start();
}
