// Chosen requests made again on a snapshot: which answers differ by now.

import { call, own } from "../core/api.js";
import { box, button, dialog, field, h, hint, pretty, select, table, tag } from "../core/ui.js";
import { isPlain } from "./test.js";
import { shortOperation, shortPath } from "./entry.js";

const value = (content) => content === undefined ? h("em", {}, "nothing") : pretty(content);

const difference = ({ path, before, after }) =>
  h(
    "div.difference",
    {},
    h("code", {}, path || "the answer"),
    " ",
    h("del", {}, value(before)),
    " ",
    h("ins", {}, value(after)),
  );

const mark = (status) => tag(String(status), status < 400 ? "good" : "bad");

const row = (entry, { before, after, isSame, differences }) => [
  [h("code", {}, shortOperation(entry.operation)), " ", h("code", {}, shortPath(entry))],
  before === after ? mark(after) : [mark(before), " → ", mark(after)],
  isSame ? "the same" : differences.length ? differences.map(difference) : "another status",
];

/** Shows what came of the replay; `results` are in the order of the entries. */
function showResults(entries, results, { snapshot, to }) {
  const changed = results.filter(({ isSame }) => !isSame).length;
  const close = box("Replayed", [
    hint(
      changed
        ? `${changed} of ${results.length} answers differ on ${snapshot}.`
        : `All ${results.length} answers are the same on ${snapshot}.`,
    ),
    table(
      "Answers",
      [["Request"], ["Status"], ["Answer"]],
      results.map((result, index) => row(entries[index], result)),
    ),
    h(
      "p.actions",
      {},
      h("a.button", { href: `?project=${encodeURIComponent(to)}#/requests` }, `Open ${to}`),
      button("Close", () => close(), { autofocus: true }),
    ),
  ], { class: "broad" });
}

/** Makes a project of the snapshot, and the requests in it. */
async function replay(project, entries, snapshot) {
  const to = `${project.slice(0, 20)}-replay-${Date.now().toString(36)}`;
  const path = own(project, `snapshots/${encodeURIComponent(snapshot)}:fork`);
  await call("POST", path, { body: { to } });
  const requests = entries.map(({ id }) => id);
  const body = { requests, in: to };
  const { results } = await call("POST", own(project, "requests:compare"), { body });
  showResults(entries, results, { snapshot, to });
}

/** Asks for a snapshot to replay these requests on, which are newest first. */
export async function openReplay(project, entries) {
  const plain = entries.filter(isPlain).reverse();
  if (!plain.length) throw new Error("None of these requests was made over plain HTTP.");
  const { snapshots = [] } = await call("GET", own(project, "snapshots"));
  if (!snapshots.length) {
    throw new Error("There is no snapshot yet. Make one with “Keep this moment” in the timeline.");
  }
  const names = snapshots.map(({ name }) => name);
  const chosen = select(names.map((name) => [name]), names.at(-1));
  dialog(
    `Replay ${plain.length === 1 ? "a request" : `${plain.length} requests`}`,
    [
      hint("A project of its own is made of the snapshot, and gets the same requests, in order."),
      field("Snapshot", chosen),
    ],
    "Replay",
    () => replay(project, plain, chosen.value),
  );
}
