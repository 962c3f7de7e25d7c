// The messages that are known here: the newest page, read again after each event, and earlier ones.

import { own, text } from "../core/api.js";

const size = 100;

class Pages {
  #messages = new Map();
  #total = 0;
  #search = "";
  /** The search and the text of the last answer, and the oldest message in it. */
  #last = { search: null, answer: "", oldest: 0 };
  /** The message that is read: it stays, though a search such as `is:unread` finds it no longer. */
  #held = "";

  constructor(project, signal) {
    Object.assign(this, { project, signal });
  }

  // Without their texts, which only the reader needs.
  #ask(q, more) {
    const wanted = { limit: size, summary: true, ...(q && { q }), ...more };
    const path = own(this.project, `messages?${new URLSearchParams(wanted)}`);
    return text("GET", path, { signal: this.signal });
  }

  #ids() {
    return [...this.#messages.keys()].map(Number);
  }

  #forget(isGone) {
    for (const id of this.#ids().filter(isGone)) {
      if (String(id) !== this.#held) this.#messages.delete(String(id));
    }
  }

  /** Puts the newest page in the place of what is known of its messages. */
  #replace(page) {
    const oldest = Number(page[0]?.id ?? 0);
    // Between a full page of unknown messages and the older ones, some may be missing.
    const isAll = page.length < size || !this.#messages.has(page[0].id);
    this.#forget((id) => isAll || id >= oldest);
    page.forEach((message) => this.put(message));
    this.#last.oldest = oldest;
  }

  /** Newest first. */
  all() {
    return [...this.#messages.values()].sort((one, other) => other.id - one.id);
  }

  get(id) {
    return this.#messages.get(id);
  }

  hold(id) {
    this.#held = id ?? "";
  }

  put(message) {
    this.#messages.set(message.id, message);
  }

  /** How many messages match, known here or not. */
  total() {
    return Math.max(this.#total, this.#messages.size);
  }

  /** Whether the server has answered at all. */
  get isRead() {
    return this.#last.answer !== "";
  }

  /** Reads the newest page; answers what is new, or nothing where nothing has changed. */
  async load(q) {
    this.#search = q;
    const answer = await this.#ask(q);
    const last = this.#last;
    if (q !== this.#search || (q === last.search && answer === last.answer)) return undefined;
    const before = new Set(this.#messages.keys());
    if (q !== last.search) this.#messages.clear();
    this.#last = { search: q, answer, oldest: 0 };
    const page = JSON.parse(answer);
    this.#replace(page.messages);
    this.#total = page.total;
    return page.messages.filter(({ id }) => !before.has(id));
  }

  /** Reads the page before the oldest message that is known. */
  async more() {
    const q = this.#search;
    const page = JSON.parse(await this.#ask(q, { before: Math.min(...this.#ids()) }));
    if (q !== this.#search) return;
    page.messages.forEach((message) => this.put(message));
    this.#total = page.messages.length < size ? this.#messages.size : page.total;
  }

  /** Whether an event changes what is known. */
  hear(event, data) {
    // Events may have been missed: of the older messages nothing is known any more.
    if (event === "sync") this.#forget((id) => id < this.#last.oldest);
    const message = this.#messages.get(data?.id);
    if (event === "message.deleted") this.#messages.delete(data.id);
    else if (message && event === "message.changed") Object.assign(message, data);
    else if (message && event === "code.used") message.usedAt ??= data.usedAt;
    else return event === "sync";
    return true;
  }
}

export const makePages = (project, signal) => new Pages(project, signal);
