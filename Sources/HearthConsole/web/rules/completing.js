// Offers names while one types in the rules.

import { h } from "../core/ui.js";
import { completions } from "./names.js";

/** `known()` answers the names of the project; `place` is what the list is placed in. */
export function completing(text, place, known) {
  const list = h("ul.names", {
    id: "rule-names",
    role: "listbox",
    "aria-label": "Names",
    hidden: true,
  });
  let found = [];
  let word = "";
  let at = 0;
  text.setAttribute("aria-autocomplete", "list");
  text.setAttribute("aria-controls", list.id);

  function close() {
    found = [];
    list.hidden = true;
    text.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    at = (index + found.length) % found.length;
    [...list.children].forEach((one, place) => one.setAttribute("aria-selected", place === at));
    text.setAttribute("aria-activedescendant", `rule-name-${at}`);
  }

  function take(name) {
    const end = text.selectionStart;
    text.setRangeText(name, end - word.length, end, "end");
    close();
    text.dispatchEvent(new Event("input"));
    close();
  }

  /** The letters are all of one width, and no line is broken. */
  function put() {
    const lines = text.value.slice(0, text.selectionStart).split("\n");
    list.style.setProperty("top", `calc(${lines.length} * 1.5em + var(--space-4))`);
    const left = lines.at(-1).length - word.length;
    list.style.setProperty("left", `calc(${left}ch + var(--space-4))`);
  }

  text.addEventListener("input", (event) => {
    close();
    if (!event.isTrusted || text.selectionStart !== text.selectionEnd) return;
    ({ word, found } = completions(text.value, text.selectionStart, known()));
    if (!found.length) return;
    list.replaceChildren(...found.map((name, index) =>
      h("li", {
        id: `rule-name-${index}`,
        role: "option",
        onmousedown: (press) => {
          press.preventDefault();
          take(name);
        },
      }, name)
    ));
    put();
    list.hidden = false;
    mark(0);
  });
  // Before the editor's own keys: Tab indents where nothing is offered.
  text.addEventListener("keydown", (event) => {
    if (!found.length) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) mark(at + step);
    else if (event.key === "Tab" || event.key === "Enter") take(found[at]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  text.addEventListener("blur", close);
  place.append(list);
}
