// The requests that the page knows, and which of them are wanted.

import { callerOf, isOwn } from "./entry.js";

export const most = 1000;

/** The log with more entries: oldest first, each once, the latest of them. */
export function merged(log, entries) {
  const known = new Map(log.map((entry) => [entry.id, entry]));
  const fresh = entries.filter(({ id }) => !known.has(id));
  if (!fresh.length) return log;
  const last = log.at(-1)?.id ?? 0;
  const all = [...log, ...fresh];
  // An answer to a question may come after events of later requests.
  if (fresh.some(({ id }, index) => id < (fresh[index - 1]?.id ?? last))) {
    all.sort((one, other) => one.id - other.id);
  }
  return all.slice(-most);
}

/** What an address asks for. */
export const wantedFrom = (params) => ({
  q: params.get("q") ?? "",
  method: params.get("method") ?? "",
  failed: Boolean(params.get("failed")),
  fault: Boolean(params.get("fault")),
  all: Boolean(params.get("all")),
});

/** The parameters of its address. */
export const addressOf = ({ failed, fault, all, ...rest }) => ({
  ...rest,
  failed: failed ? 1 : "",
  fault: fault ? 1 : "",
  all: all ? 1 : "",
});

function wordsOf(entry) {
  const { method, path, resource, collection, operation, status, error, reason, fault } = entry;
  const { index, caller } = entry;
  return [method, path, resource, collection, operation, status, error, reason, fault]
    .concat(index && "index missing", caller, callerOf(entry)).join(" ").toLowerCase();
}

export function matches(entry, { q, method, failed, fault, all }) {
  if (failed && entry.status < 400) return false;
  if (fault && !entry.fault) return false;
  if (method && entry.method !== method) return false;
  if (!all && isOwn(entry)) return false;
  const words = wordsOf(entry);
  return q.toLowerCase().split(/\s+/).every((word) => words.includes(word));
}

/** The entries to show, newest first; the opened one is among them whatever is wanted. */
export const found = (log, wanted, opened) =>
  log.filter((entry) => matches(entry, wanted) || String(entry.id) === opened).reverse();
