// Talks to the server this page came from: JSON calls, live events, and the server's clock.

/** A refusal in Google's envelope, or a call that never arrived. */
export class ApiError extends Error {
  constructor(status, { message, status: name } = {}) {
    super(message || `HTTP ${status}`);
    this.status = status;
    this.statusName = name ?? "";
    /** Whether the server lacks this endpoint, and not just the requested resource. */
    this.unavailable = status === 501 || status === 405
      || (status === 404 && /^(not found\.?|http 404)$/i.test(this.message));
  }
}

/** Calls an endpoint and answers its text. */
export async function text(method, path, { body, signal, admin } = {}) {
  // The server keeps the console's own calls apart from those of apps.
  const headers = { "X-Hearth-Client": "console" };
  if (body) headers["Content-Type"] = "application/json";
  if (admin) headers.Authorization = "Bearer owner";
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, signal, cache: "no-store", body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { message: "The server does not answer. Is Hearth running?" });
  }
  if (reply.ok) return reply.text();
  const { error } = await reply.json().catch(() => ({}));
  throw new ApiError(reply.status, typeof error === "string" ? { message: error } : error);
}

/** Calls an endpoint and answers its JSON. */
export const call = async (...request) => JSON.parse(await text(...request) || "{}");

/** The path of one of Hearth's own endpoints. */
export const own = (project, rest) => `/emulator/v1/projects/${encodeURIComponent(project)}/${rest}`;

/** An administrator's call to Identity Toolkit. */
export const accounts = (project, verb, body, signal) => call("POST",
  `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(project)}/accounts${verb}`,
  { body, signal, admin: true });

// How far the server's clock is ahead of this machine's, and where it stands still.
let ahead = 0;
let frozen = null;

/** The server's time in milliseconds. */
export const now = () => frozen ?? Date.now() + ahead;

export function noteClock(state) {
  const time = Date.parse(state.now);
  ahead = time - Date.now();
  frozen = state.frozen ? time : null;
  return state;
}

export const readClock = async (project, signal) =>
  noteClock(await call("GET", own(project, "clock"), { signal }));

const eventNames = [
  "message.captured", "message.deleted", "code.used", "user.created", "user.updated",
  "user.deleted", "user.signedIn", "users.imported", "request", "clock.changed", "faults.changed",
  "switches.changed", "keys.rotated",
];

/**
 * Calls `hear(name, data)` for what happens in the project, until the signal aborts.
 *
 * `hear("sync")` says that events begin, and that something may have been missed before. Where there
 * are none, `hear("poll")` comes every two seconds instead. A hidden page lets go of its connection:
 * browsers allow only six to a host.
 */
export function listen(project, signal, hear) {
  let source = null;
  let timer = 0;
  let polls = false;
  function stop() {
    source?.close();
    clearInterval(timer);
  }
  function poll() {
    polls = true;
    timer = setInterval(() => hear("poll"), 2000);
  }
  function start() {
    stop();
    if (document.hidden) return;
    if (polls) return poll();
    source = new EventSource(own(project, "events"));
    source.onopen = () => hear("sync");
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) poll(); };
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
