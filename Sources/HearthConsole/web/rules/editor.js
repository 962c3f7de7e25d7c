// The rules' source with line numbers, counts beside the lines, and errors where they are.

import { h } from "../core/ui.js";

/** The editor; `onedit` is called when the source changes. */
export function sourceEditor(onedit) {
  const gutter = h("ol.gutter", { "aria-hidden": "true" });
  const text = h("textarea", { spellcheck: "false", autocomplete: "off",
  wrap: "off", "aria-label": "Rules" });
  const element = h("div.source", {}, gutter, text);
  let counts = new Map();
  let marked = 0;

  function draw() {
    const lines = text.value.split("\n").length;
    gutter.replaceChildren(...Array.from({ length: lines }, (_, index) => {
      const line = counts.get(index + 1);
      return h("li", { class: marked === index + 1 && "at", "data-kind": line?.kind,
          title: line?.words },
        h("span.count", {}, line?.label), String(index + 1));
    }));
    text.rows = lines + 1;
  }

  const height = () => parseFloat(getComputedStyle(gutter).lineHeight) || 20;
  const clear = () => element.querySelectorAll(".complaint").forEach((one) => one.remove());
  text.addEventListener("input", () => {
    clear();
    draw();
    onedit();
  });
  text.addEventListener("keydown", (event) => {
    // Tab leaves the editor after Escape, and indents otherwise.
    if (event.key !== "Tab" || event.shiftKey || element.dataset.leaves) return delete element
      .dataset.leaves;
    event.preventDefault();
    text.setRangeText("  ", text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
  });
  text.addEventListener("keyup", ({ key }) => { if (key === "Escape") element.dataset.leaves =
    "yes"; });

  return {
    element,
    get value() { return text.value; },
    set value(source) {
      text.value = source;
      clear();
      draw();
    },
    /** Shows what each line counted: line → { label, kind, words }. */
    count(wanted) { counts = wanted;
      draw(); },
    /** Shows errors in place: [{ line, column, message }]. */
    complain(errors) {
      clear();
      for (const { line, message } of errors) {
        const note = h("div.complaint", { role: "alert" }, `line ${line}: ${message}`);
        note.style.top = `${height() * line + 10}px`;
        element.append(note);
      }
      if (errors.length) this.goTo(errors[0].line, errors[0].column);
    },
    goTo(line, column = 1) {
      marked = line;
      draw();
      const start = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 :
        0) + column - 1;
      text.setSelectionRange(start, start);
      element.scrollTop = height() * Math.max(0, line - 6);
    },
  };
}
