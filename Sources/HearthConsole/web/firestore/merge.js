// A document that others have changed while it is edited: what they changed, and which side holds.

import { h, hint, select, table } from "../core/ui.js";
import { meets } from "./changes.js";
import { cell } from "./results.js";

const shown = (
  value,
) => (value === undefined ? h("em", {}, "no value") : h("code", {}, cell(value)));

/**
 * The other side's changes; fields that both sides changed have a choice. `chosen()` answers the paths
 * of mine that give way, and throws while a choice is missing.
 */
export function mergeTable(mine, theirs, clashes) {
  const choices = new Map(clashes.map(({ path }) => [
    path,
    select(
      [["", "Choose…"], ["mine", "Keep mine"], ["theirs", "Take theirs"]],
      "",
      { "aria-label": `Which value of ${path} holds` },
    ),
  ]));
  const rows = theirs.map((one) => {
    const own = meets(one.path, clashes);
    return [
      h("code", {}, one.path),
      shown(one.before),
      shown(one.after),
      own ? shown(own.after) : meets(one.path, mine) ? "the same" : "",
      own ? choices.get(own.path) : "stays as it is on the server",
    ];
  });
  return {
    element: h(
      "div",
      {},
      h(
        "p.notice.warn",
        {},
        "The document has changed on the server since you " +
          "began to edit it.",
      ),
      table("Changes on the server", [["Field"], ["Was"], ["Now"], ["Mine"], ["What holds"]], rows),
      hint("Saving writes only the fields that you have changed."),
    ),
    /** Takes over the choices of the table before. */
    adopt(other) {
      for (const [path, control] of choices) control.value = other?.choices.get(path)?.value ?? "";
    },
    choices,
    chosen() {
      const open = [...choices].find(([, { value }]) => !value);
      if (open) {
        open[1].focus();
        throw new Error(
          `Not saved: ${open[0]} has changed on the server. Choose which value holds.`,
        );
      }
      return [...choices].filter(([, { value }]) => value === "theirs").map(([path]) => path);
    },
  };
}
