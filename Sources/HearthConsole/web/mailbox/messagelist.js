// The messages side by side with the one that is read: drawn again with each change, aged each second.

import { part, render } from "../core/render.js";
import { button, h, plural } from "../core/ui.js";
import { emptyMailbox } from "./empty.js";
import { age, row, shownOf } from "./list.js";
import { manyMessages } from "./many.js";
import { newestCode } from "./newest.js";

export class MessageList {
  #list = h("ul.list.mails");
  #count = h("p.hint", { role: "status" });
  #newest = newestCode();
  #more = button("Show older messages", async () => {
    await this.pages.more();
    this.drawAgain();
  }, { hidden: true });
  /** In the place of the list while there is nothing. */
  empty = h("div", { hidden: true });

  constructor({ project, pages, search, params, load, draw }) {
    Object.assign(this, { project, pages, search, params, drawAgain: draw });
    this.many = manyMessages({ project, shown: () => pages.all(), done: load });
    this.split = h(
      "div.split",
      {},
      h(
        "section",
        { "aria-label": "Messages" },
        this.#newest.element,
        this.#count,
        this.#list,
        this.#more,
      ),
    );
  }

  /** Whether the search that is typed is not the one of the list. */
  set isStale(isStale) {
    this.#list.classList.toggle("stale", isStale);
  }

  get isVisible() {
    return this.#list.checkVisibility();
  }

  get #hasFocus() {
    return this.#list.contains(document.activeElement);
  }

  get hasVisibleFocus() {
    return this.#hasFocus && document.activeElement.matches(":focus-visible");
  }

  get firstLink() {
    return this.#list.querySelector("a");
  }

  #rowOf(id) {
    return this.#list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  reveal(id) {
    this.#rowOf(id)?.scrollIntoView({ block: "nearest" });
  }

  noteRead(id) {
    this.#rowOf(id)?.classList.remove("unread");
  }

  /** The message after (1) or before (-1) another one, in the order of the list. */
  beside(id, step) {
    const shown = this.pages.all();
    const at = shown.findIndex((one) => one.id === id);
    return at < 0 ? undefined : shown[at + step];
  }

  draw(opened) {
    const shown = this.pages.all();
    const { wanted } = this.search;
    this.#drawRows(shown, opened);
    this.many.drawn();
    this.#newest.show(shown);
    const isEmpty = !shown.length && !wanted;
    this.split.hidden = isEmpty && !opened;
    this.empty.hidden = !this.split.hidden || !this.pages.isRead;
    if (isEmpty && this.pages.isRead && !this.empty.childNodes.length) {
      this.empty.append(emptyMailbox(this.project));
    }
    this.#more.hidden = shown.length >= this.pages.total();
    this.#drawCount(shown.length, wanted);
  }

  #drawRows(shown, opened) {
    const params = this.params();
    const focused = this.#hasFocus && document.activeElement.closest("li").dataset.id;
    render(
      this.#list,
      shown.map((message) =>
        part(message.id, shownOf(message, params), () => row(message, params, this.many.choose))
      ),
    );
    for (const message of shown) {
      const element = this.#rowOf(message.id);
      element.classList.toggle("unread", !message.read);
      element.querySelector("a").ariaCurrent = message.id === opened ? "true" : null;
    }
    if (focused && !this.#hasFocus) this.#rowOf(focused)?.querySelector("a").focus();
  }

  #drawCount(length, wanted) {
    const total = this.pages.total();
    const clear = button("Clear the search", () => this.search.clear(), { class: "link" });
    this.#count.replaceChildren(
      length < total
        ? `The newest ${length} of ${total} messages`
        : `${plural(length, "message")}, newest first`,
      ...(wanted ? [" ", clear] : []),
    );
  }

  /** States change as time passes; those of the rows where `isEach`. */
  tick(isEach) {
    if (isEach) {
      for (const item of this.#list.children) age(item, this.pages.get(item.dataset.id));
    }
    this.#newest.tick();
  }
}
