// Keys that work everywhere in the console, and the dialog that lists them.

import { linkTo } from "../core/routes.js";
import { box, button, fail, h } from "../core/ui.js";
import { commandKey } from "./tools.js";
import { views } from "./views.js";

const keys = [
  [`${commandKey}K`, "Find or do anything"],
  ["c", "Copy the newest code"],
  ["/", "Search or filter in this view"],
  ["j, ↓", "The next row of a list"],
  ["k, ↑", "The row before"],
  ["Enter", "Open the row"],
  ["?", "These keys"],
  ["Esc", "Close a dialog, or leave the search"],
];
/** The views by the letter after `g`. */
const letters = Object.fromEntries(
  Object.entries(views).map(([name, [, , letter]]) => [letter, name]),
);

const isTyping = ({ target }) => target.matches("input, textarea, select, [contenteditable]");

export function help() {
  const close = box("Keys", [
    h(
      "table.keys",
      {},
      h(
        "tbody",
        {},
        [
          ...keys,
          ...Object.entries(letters).map(
            ([letter, view]) => [`g ${letter}`, `Go to ${views[view][0]}`],
          ),
        ].map(([key, words]) =>
          h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, words))
        ),
      ),
    ),
    button("Close", () => close(), { autofocus: true }),
  ]);
}

/** Moves among the rows of the list that is shown; rows are links or buttons with `data-row`. */
function step(by) {
  const rows = [...document.querySelectorAll("main [data-row]")].filter((row) =>
    row
      .checkVisibility()
  );
  if (!rows.length) return;
  const at = rows.findIndex((row) =>
    row === document.activeElement || row.contains(document.activeElement)
  );
  const current = at < 0 ? rows.findIndex((row) => row.ariaCurrent === "true") : at;
  const next = rows[Math.min(Math.max(current + by, 0), rows.length - 1)];
  next.focus();
  if (next.dataset.row === "opens") next.click();
}

/** Listens for keys; `find` opens the palette, `copyCode` copies the newest code. */
export function listenToKeys({ find, copyCode }) {
  let goes = 0;
  addEventListener("keydown", (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isCommand && event.key.toLowerCase() === "k" && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      return find();
    }
    if (
      event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")
    ) return;
    if (isTyping(event)) {
      if (event.key === "Escape" && event.target.type === "search") event.target.blur();
      return;
    }
    const isInList = Boolean(event.target.closest("[data-row]"));
    const { key } = event;
    if (Date.now() - goes < 1500 && Object.hasOwn(letters, key)) {
      location.hash = linkTo(letters[key]);
      goes = 0;
    } else if (key === "g") {
      goes = Date.now();
      return;
    } else if (key === "/") document.querySelector("main input[type=search]")?.focus();
    else if (key === "?") help();
    else if (key === "c") copyCode().catch(fail);
    else if (key === "j" || (isInList && key === "ArrowDown")) step(1);
    else if (key === "k" || (isInList && key === "ArrowUp")) step(-1);
    else return;
    event.preventDefault();
  });
}
