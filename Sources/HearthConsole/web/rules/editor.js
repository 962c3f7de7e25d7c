// The rules' source with colours, line numbers, counts beside the lines, and errors where they are.

import { h, input } from "../core/ui.js";
import { coloured } from "./colours.js";
import { completing } from "./completing.js";

/** A field that goes from one place of a text to the next. */
function finder(text, goTo) {
  return input({
    type: "search",
    placeholder: "Find in the rules",
    "aria-label": "Find in the rules",
    onkeydown: (event) => {
      const wanted = event.currentTarget.value.toLowerCase();
      if (event.key !== "Enter" || !wanted) return;
      event.preventDefault();
      const source = text.value.toLowerCase();
      const from = event.shiftKey ? text.selectionStart - 1 : text.selectionEnd;
      const at = event.shiftKey
        ? source.lastIndexOf(wanted, from < 0 ? source.length : from)
        : source.indexOf(wanted, from);
      const found = at >= 0
        ? at
        : event.shiftKey
        ? source.lastIndexOf(wanted)
        : source.indexOf(wanted);
      if (found >= 0) goTo(found, found + wanted.length);
    },
  });
}

/** The keys of the text: Tab leaves the editor after Escape, and indents otherwise. */
function indenting(text, element) {
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey || element.dataset.leaves) {
      return delete element.dataset.leaves;
    }
    event.preventDefault();
    text.setRangeText("  ", text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
  });
  text.addEventListener("keyup", ({ key }) => {
    if (key === "Escape") element.dataset.leaves = "yes";
  });
}

class SourceEditor {
  #gutter = h("ol.gutter", { "aria-hidden": "true" });
  #text = h("textarea", {
    spellcheck: "false",
    autocomplete: "off",
    wrap: "off",
    "aria-label": "Rules",
  });
  // What is read is below what is typed, letter by letter.
  #colours = h("pre.colours", { "aria-hidden": "true" });
  #counts = new Map();
  /** What is wrong, by line. */
  #wrong = new Map();
  #marked = 0;
  #onask;
  // Below the source, so that no line is hidden.
  problems = h("div.problems", { role: "alert" });

  constructor(onedit, known, onask) {
    this.#onask = onask;
    const text = this.#text;
    const sheet = h("div.sheet", {}, this.#colours, text);
    this.element = h("div.source", {}, this.#gutter, sheet);
    completing(text, sheet, known);
    this.find = finder(text, (start, end) => this.#select(start, end));
    text.addEventListener("input", () => {
      this.#clear();
      this.#draw();
      onedit();
    });
    indenting(text, this.element);
  }

  #line(number) {
    const { kind, words, label } = this.#wrong.get(number) ?? this.#counts.get(number) ?? {};
    return h(
      "li",
      { class: this.#marked === number && "at", "data-kind": kind, title: words },
      this.#counts.get(number)?.isAsked
        ? h("span.count.asked", { onclick: () => this.#onask(number) }, label)
        : h("span.count", {}, label),
      String(number),
    );
  }

  #draw() {
    const text = this.#text;
    const lines = text.value.split("\n").length;
    this.#gutter.replaceChildren(
      ...Array.from({ length: lines }, (_, index) => this.#line(index + 1)),
    );
    text.rows = lines + 1;
    this.#colours.replaceChildren(
      ...coloured(text.value).map(([kind, part]) => kind ? h(`span.${kind}`, {}, part) : part),
      "\n",
    );
  }

  #clear() {
    this.#wrong = new Map();
    this.problems.replaceChildren();
  }

  #select(start, end) {
    this.#marked = this.#text.value.slice(0, start).split("\n").length;
    this.#draw();
    this.#text.setSelectionRange(start, end);
    const height = parseFloat(getComputedStyle(this.#gutter).lineHeight) || 20;
    this.element.scrollTop = height * Math.max(0, this.#marked - 6);
  }

  #problem({ line, column, message, isWarning }) {
    const link = h(
      "button.link",
      { type: "button", onclick: () => this.goTo(line, column) },
      `line ${line}`,
    );
    return h(`p.notice.${isWarning ? "warn" : "bad"}`, {}, link, `: ${message}`);
  }

  /** The line of the cursor. */
  get line() {
    return this.#text.value.slice(0, this.#text.selectionStart).split("\n").length;
  }

  get value() {
    return this.#text.value;
  }

  set value(source) {
    this.#text.value = source;
    this.#clear();
    this.#draw();
  }

  /** Shows what each line counted: line → { label, kind, words }. */
  count(wanted) {
    this.#counts = wanted;
    this.#draw();
  }

  /** Shows errors and warnings below the source, marks their lines, and goes to the first error. */
  complain(found, moves = true) {
    this.#clear();
    for (const { line, message, isWarning } of found) {
      this.#wrong.set(line, { kind: isWarning ? "none" : "bad", label: "!", words: message });
    }
    this.problems.append(...found.map((one) => this.#problem(one)));
    this.#draw();
    const first = found.find(({ isWarning }) => !isWarning);
    if (first && moves) this.goTo(first.line, first.column);
  }

  goTo(line, column = 1) {
    const before = this.#text.value.split("\n").slice(0, line - 1);
    const start = before.reduce((sum, { length }) => sum + length + 1, column - 1);
    this.#select(start, start);
  }
}

/**
 * The editor; `onedit` is called when the source changes, `known()` answers the names of the project
 * that are offered, and `onask` gets a line whose count was pressed.
 */
export const sourceEditor = (onedit, known, onask) => new SourceEditor(onedit, known, onask);
