// The messages that are known here: the newest page, read again after each event, and earlier ones.

import { own, text } from "../core/api.js";

const size = 100;

export function makePages(project, signal) {
  const messages = new Map();
  let total = 0;
  let search = "";
  /** The search and the text of the last answer, and the oldest message in it. */
  let last = { search: null, answer: "", oldest: 0 };

  // Without their texts, which only the reader needs.
  const ask = (q, more) =>
    text(
      "GET",
      own(
        project,
        `messages?${new URLSearchParams(
          { limit: size, summary: true, ...(q && { q }), ...more },
        )}`,
      ),
      { signal },
    );
  const ids = () => [...messages.keys()].map(Number);

  /** The message that is read: it stays, though a search such as `is:unread` finds it no longer. */
  let held = "";

  function forget(isGone) {
    for (const id of ids().filter(isGone)) if (String(id) !== held) messages.delete(String(id));
  }

  /** Puts the newest page in the place of what is known of its messages. */
  function replace(page) {
    const oldest = Number(page[0]?.id ?? 0);
    // Between a full page of unknown messages and the older ones, some may be missing.
    const isAll = page.length < size || !messages.has(page[0].id);
    forget((id) => isAll || id >= oldest);
    for (const message of page) messages.set(message.id, message);
    last.oldest = oldest;
  }

  return {
    /** Newest first. */
    all: () => [...messages.values()].sort((one, other) => other.id - one.id),
    get: (id) => messages.get(id),
    hold: (id) => {
      held = id ?? "";
    },
    put: (message) => messages.set(message.id, message),
    /** How many messages match, known here or not. */
    total: () => Math.max(total, messages.size),

    /** Reads the newest page; answers what is new, or nothing where nothing has changed. */
    async load(q) {
      search = q;
      const answer = await ask(q);
      if (q !== search || (q === last.search && answer === last.answer)) return undefined;
      const before = new Set(messages.keys());
      if (q !== last.search) messages.clear();
      last = { search: q, answer, oldest: 0 };
      const page = JSON.parse(answer);
      replace(page.messages);
      total = page.total;
      return page.messages.filter(({ id }) => !before.has(id));
    },

    /** Reads the page before the oldest message that is known. */
    async more() {
      const q = search;
      const page = JSON.parse(await ask(q, { before: Math.min(...ids()) }));
      if (q !== search) return;
      for (const message of page.messages) messages.set(message.id, message);
      total = page.messages.length < size ? messages.size : page.total;
    },

    /** Whether an event changes what is known. */
    hear(event, data) {
      // Events may have been missed: of the older messages nothing is known any more.
      if (event === "sync") forget((id) => id < last.oldest);
      const message = messages.get(data?.id);
      if (event === "message.deleted") messages.delete(data.id);
      else if (message && event === "message.changed") Object.assign(message, data);
      else if (message && event === "code.used") message.usedAt ??= data.usedAt;
      else return event === "sync";
      return true;
    },
  };
}
