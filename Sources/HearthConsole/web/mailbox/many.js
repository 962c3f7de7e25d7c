// Several messages at once: chosen with boxes, in a row with Shift.

import { call, own } from "../core/api.js";
import { render } from "../core/render.js";
import { button, h, plural, say } from "../core/ui.js";
import { undoable } from "../core/undo.js";

const bar = (count, { chooseAll, mark, remove, none }) =>
  h(
    "div.bulk",
    { role: "group", "aria-label": "Chosen messages" },
    h("strong", {}, `${count} chosen`),
    button("Choose all", chooseAll, { class: "slim" }),
    button("Mark read", () => mark(":markRead", "marked as read"), { class: "slim" }),
    button("Mark unread", () => mark(":markUnread", "marked as unread"), { class: "slim" }),
    button("Delete chosen", remove, { class: "danger slim" }),
    button("Choose none", none, { class: "slim quiet" }),
  );

class ManyMessages {
  #chosen = new Set();
  #last = null;
  element = h("div");

  constructor(given) {
    Object.assign(this, given);
  }

  /** Does the same with each, some at a time. */
  async #each(method, verb = "", body) {
    const ids = [...this.#chosen];
    const path = (id) => own(this.project, `messages/${encodeURIComponent(id)}${verb}`);
    while (ids.length) {
      await Promise.all(ids.splice(0, 6).map((id) => call(method, path(id), { body })));
    }
  }

  async #mark(verb, words) {
    const count = this.#chosen.size;
    await this.#each("POST", verb, {});
    this.#none();
    await this.done();
    say(`${plural(count, "message")} ${words}.`);
  }

  async #remove() {
    const count = this.#chosen.size;
    const undo = await undoable(this.project, "delete-messages", () => this.#each("DELETE"));
    this.#none();
    await this.done();
    say(`${plural(count, "message")} deleted.`, undo);
  }

  #none() {
    this.#chosen.clear();
    this.#last = null;
    this.#draw();
  }

  #chooseAll() {
    for (const { id } of this.shown()) this.#chosen.add(id);
    this.#draw();
  }

  #draw() {
    const chosen = this.#chosen;
    for (const box of document.querySelectorAll(".mails [data-choose]")) {
      box.checked = chosen.has(box.dataset.choose);
    }
    document.querySelector(".mails")?.classList.toggle("choosing", chosen.size > 0);
    const work = {
      chooseAll: () => this.#chooseAll(),
      mark: (verb, words) => this.#mark(verb, words),
      remove: () => this.#remove(),
      none: () => this.#none(),
    };
    render(this.element, chosen.size > 0 && bar(chosen.size, work));
  }

  /** Chooses a message, or leaves it; with `isRange`, all from the last one to it. */
  choose = (id, isRange) => {
    const ids = this.shown().map((one) => one.id);
    const ends = [ids.indexOf(this.#last), ids.indexOf(id)];
    const [from, to] = ends.sort((one, other) => one - other);
    if (isRange && from >= 0) ids.slice(from, to + 1).forEach((one) => this.#chosen.add(one));
    else if (!this.#chosen.delete(id)) this.#chosen.add(id);
    this.#last = id;
    this.#draw();
  };

  /** Drops those that are not there any more. */
  drawn() {
    const ids = new Set(this.shown().map(({ id }) => id));
    for (const id of this.#chosen) if (!ids.has(id)) this.#chosen.delete(id);
    this.#draw();
  }
}

/** `shown()` answers the messages in their order, and `done` is called when they were changed. */
export const manyMessages = (given) => new ManyMessages(given);
