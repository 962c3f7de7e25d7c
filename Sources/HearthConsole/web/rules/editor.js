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

/**
 * The editor; `onedit` is called when the source changes, and `known()` answers the names of the
 * project that are offered.
 */
export function sourceEditor(onedit, known = () => ({})) {
  const gutter = h("ol.gutter", { "aria-hidden": "true" });
  const text = h("textarea", {
    spellcheck: "false",
    autocomplete: "off",
    wrap: "off",
    "aria-label": "Rules",
  });
  // What is read is below what is typed, letter by letter.
  const colours = h("pre.colours", { "aria-hidden": "true" });
  const sheet = h("div.sheet", {}, colours, text);
  const element = h("div.source", {}, gutter, sheet);
  // Below the source, so that no line is hidden.
  const problems = h("div.problems", { role: "alert" });
  let counts = new Map();
  /** What is wrong, by line. */
  let wrong = new Map();
  let marked = 0;

  function draw() {
    const lines = text.value.split("\n").length;
    gutter.replaceChildren(...Array.from({ length: lines }, (_, index) => {
      const line = wrong.get(index + 1) ?? counts.get(index + 1);
      return h(
        "li",
        { class: marked === index + 1 && "at", "data-kind": line?.kind, title: line?.words },
        h("span.count", {}, line?.label),
        String(index + 1),
      );
    }));
    text.rows = lines + 1;
    colours.replaceChildren(
      ...coloured(text.value).map(([kind, part]) => kind ? h(`span.${kind}`, {}, part) : part),
      "\n",
    );
  }

  const height = () => parseFloat(getComputedStyle(gutter).lineHeight) || 20;
  const clear = () => {
    wrong = new Map();
    problems.replaceChildren();
  };
  completing(text, sheet, known);
  const find = finder(text, (start, end) => {
    const line = text.value.slice(0, start).split("\n").length;
    text.setSelectionRange(start, end);
    marked = line;
    draw();
    element.scrollTop = height() * Math.max(0, line - 6);
  });
  text.addEventListener("input", () => {
    clear();
    draw();
    onedit();
  });
  text.addEventListener("keydown", (event) => {
    // Tab leaves the editor after Escape, and indents otherwise.
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

  return {
    element,
    find,
    problems,
    get value() {
      return text.value;
    },
    set value(source) {
      text.value = source;
      clear();
      draw();
    },
    /** Shows what each line counted: line → { label, kind, words }. */
    count(wanted) {
      counts = wanted;
      draw();
    },
    /** Shows errors and warnings below the source, marks their lines, and goes to the first error. */
    complain(found, moves = true) {
      clear();
      for (const { line, column, message, isWarning } of found) {
        const kind = isWarning ? "warn" : "bad";
        wrong.set(line, { kind: isWarning ? "none" : "bad", label: "!", words: message });
        problems.append(h(
          `p.notice.${kind}`,
          {},
          h(
            "button.link",
            { type: "button", onclick: () => this.goTo(line, column) },
            `line ${line}`,
          ),
          `: ${message}`,
        ));
      }
      draw();
      const first = found.find(({ isWarning }) => !isWarning);
      if (first && moves) this.goTo(first.line, first.column);
    },
    goTo(line, column = 1) {
      marked = line;
      draw();
      const start = text.value.split("\n").slice(0, line - 1).join("\n").length +
        (line > 1 ? 1 : 0) + column - 1;
      text.setSelectionRange(start, start);
      element.scrollTop = height() * Math.max(0, line - 6);
    },
  };
}
