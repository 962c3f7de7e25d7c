// The table of requests.

import { part } from "../core/render.js";
import { checkbox, h, table, tag, tr } from "../core/ui.js";
import { detail } from "./detail.js";
import { callerOf, shortOperation, shortPath } from "./entry.js";

const columns = [
  [h("span.unseen", {}, "Choose")],
  ["Operation"],
  ["Path", "wide"],
  ["Status"],
  ["Caller", "wide"],
  ["ms", "wide number"],
  ["Time", "wide"],
];

function statusOf({ status, error, fault, index, replayOf }) {
  const isGood = status < 400;
  const name = !isGood && error && String(error).split(/[ :]/)[0];
  const words = name ? [status, h("span.wide", {}, ` ${name}`)] : status;
  return [
    h("span.tag", { "data-kind": isGood ? "good" : "bad", title: name }, words),
    fault && [" ", tag("fault", "warn")],
    index && isGood && [" ", tag("index missing", "warn")],
    replayOf && [" ", tag("replay")],
  ];
}

const cells = (entry, { isOpen, isChosen }, { toggle, choose }) => [
  checkbox(isChosen, { "aria-label": `Choose request ${entry.id}`, onchange: () => choose(entry) }),
  [
    h("button.link", {
      type: "button",
      "data-row": "",
      title: entry.operation,
      "aria-expanded": String(isOpen),
      onclick: () => toggle(entry),
    }, shortOperation(entry.operation)),
    h("small.cut", {}, shortPath(entry)),
  ],
  h(
    "div.cut.mono",
    { title: entry.path },
    h("small.inline", {}, entry.method, " "),
    shortPath(entry),
  ),
  statusOf(entry),
  h("div.cut", { title: entry.uid ?? entry.caller }, callerOf(entry)),
  String(entry.milliseconds),
  h("span.nowrap", {}, new Date(entry.time).toLocaleTimeString()),
];

/** The row of an entry, and that of its details while it is open. */
function rowsOf(entry, view) {
  const { project, opened, chosen } = view;
  const isOpen = String(entry.id) === opened;
  const state = { isOpen, isChosen: chosen.has(entry.id) };
  const row = part(entry.id, state, () => tr(columns, cells(entry, state, view)));
  if (!isOpen) return [row];
  const whole = part(
    `detail ${entry.id}`,
    null,
    () => h("tr", {}, h("td.whole", { colspan: columns.length }, detail(project, entry))),
  );
  return [row, whole];
}

export const requestTable = (entries, view) =>
  table("Requests", columns, entries.flatMap((entry) => rowsOf(entry, view)), { class: "log" });
