// Offers names while one types in the rules.

import { h } from "../core/ui.js";
import { completions } from "./names.js";

class Completion {
  found = [];
  word = "";
  at = 0;
  list = h("ul.names", {
    id: "rule-names",
    role: "listbox",
    "aria-label": "Names",
    hidden: true,
  });

  constructor(text, known) {
    Object.assign(this, { text, known });
    text.setAttribute("aria-autocomplete", "list");
    text.setAttribute("aria-controls", this.list.id);
    text.addEventListener("input", (event) => this.offer(event));
    // Before the editor's own keys: Tab indents where nothing is offered.
    text.addEventListener("keydown", (event) => this.press(event));
    text.addEventListener("blur", () => this.close());
  }

  close() {
    this.found = [];
    this.list.hidden = true;
    this.text.removeAttribute("aria-activedescendant");
  }

  mark(index) {
    const at = this.at = (index + this.found.length) % this.found.length;
    [...this.list.children].forEach((one, place) =>
      one.setAttribute("aria-selected", place === at)
    );
    this.text.setAttribute("aria-activedescendant", `rule-name-${at}`);
  }

  take(name) {
    const { text, word } = this;
    const end = text.selectionStart;
    text.setRangeText(name, end - word.length, end, "end");
    this.close();
    text.dispatchEvent(new Event("input"));
    this.close();
  }

  /** The letters are all of one width, and no line is broken. */
  put() {
    const { text, list, word } = this;
    const lines = text.value.slice(0, text.selectionStart).split("\n");
    list.style.setProperty("top", `calc(${lines.length} * 1.5em + var(--space-4))`);
    const left = lines.at(-1).length - word.length;
    list.style.setProperty("left", `calc(${left}ch + var(--space-4))`);
  }

  option = (name, index) =>
    h("li", {
      id: `rule-name-${index}`,
      role: "option",
      onmousedown: (press) => {
        press.preventDefault();
        this.take(name);
      },
    }, name);

  offer(event) {
    const { text, known } = this;
    this.close();
    if (!event.isTrusted || text.selectionStart !== text.selectionEnd) return;
    Object.assign(this, completions(text.value, text.selectionStart, known()));
    if (!this.found.length) return;
    this.list.replaceChildren(...this.found.map(this.option));
    this.put();
    this.list.hidden = false;
    this.mark(0);
  }

  press(event) {
    const { found, at } = this;
    if (!found.length) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.mark(at + step);
    else if (event.key === "Tab" || event.key === "Enter") this.take(found[at]);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** `known()` answers the names of the project; `place` is what the list is placed in. */
export function completing(text, place, known) {
  place.append(new Completion(text, known).list);
}
