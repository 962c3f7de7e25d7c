// Indexes that queries have missed, a button that adds each, and the indexes that are listed.

import { call, own } from "../core/api.js";
import { emptyState } from "../core/empty.js";
import {
  actions,
  button,
  copyButton,
  facts,
  fill,
  h,
  hint,
  icon,
  pretty,
  say,
  table,
  tag,
  time,
} from "../core/ui.js";
import { addIndex } from "../core/undo.js";
import { callerOf } from "../requests/entry.js";

const pathOf = (project, database) =>
  own(project, `databases/${encodeURIComponent(database)}/indexes`);

/** `a ASC, b DESC` */
const fieldsOf = (fields = []) =>
  fields.map(({ fieldPath, order, arrayConfig, vectorConfig }) =>
    `${fieldPath} ${
      order === "DESCENDING"
        ? "DESC"
        : order
        ? "ASC"
        : arrayConfig ?? (vectorConfig ? `VECTOR<${vectorConfig.dimension}>` : "SEARCH")
    }`
  ).join(", ");

/** The database that the index of a link is of: the message has its name as text. */
function databaseOf(blob) {
  try {
    const text = atob(blob.replaceAll("-", "+").replaceAll("_", "/"));
    return /\/databases\/([^/]+)\//.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

async function databasesOf(project, asked, signal) {
  const { databases } = await call("GET", own(project, "databases"), { signal });
  return [...new Set([asked ?? "(default)", "(default)", ...databases.map(({ id }) => id)])];
}

async function read(project, database, signal) {
  const path = pathOf(project, database);
  const [report, configuration] = await Promise.all([
    call("GET", `${path}:report`, { signal }),
    call("GET", path, { signal }),
  ]);
  return { database, report, configuration };
}

/** A query that misses an index; `add` gives it one. */
const card = (database, entry, isAsked, add) =>
  h(
    "section.card",
    { "data-row": true, "data-asked": isAsked, tabindex: -1 },
    h("h3", {}, h("code", {}, entry.query)),
    facts([
      ["Database", database === "(default)" ? "" : database],
      ["Asked for", `${entry.count} ×, first by ${callerOf(entry)} (${entry.operation})`],
      ["First", time(entry.firstTime)],
      ["Why", entry.reason],
    ]),
    h("pre", {}, entry.indexes.map(pretty).join("\n")),
    entry.served ? h("p", {}, tag("served now", "good")) : actions(
      button("Add to the project", add),
      copyButton("Copy as JSON", entry.indexes.map(pretty).join(",\n")),
    ),
  );

const nothing = () =>
  emptyState({
    mark: "indexes",
    title: "No index is missing",
    words:
      "A query that production would refuse for want of an index is listed here, with the index to add.",
    waits: "Watching the queries of your app",
  });

/** What is shown while nobody looks for missing indexes, and the way to have that done. */
const unchecked = (project, done) => {
  const set = async (indexes) => {
    await call("PATCH", own(project, "switches"), { body: { indexes } });
    await done();
  };
  return h(
    "div.empty",
    {},
    icon("indexes"),
    hint("Queries are answered without a look at indexes, as the official emulator does."),
    button("Report missing indexes", async () => {
      await set("warn");
      say("Queries that miss an index are listed here from now on.", () => set("off"));
    }, { class: "primary" }),
  );
};

const rowsOf = ({ database, report, configuration }) => {
  const unused = new Set(report.unused.map((index) => JSON.stringify(index)));
  return configuration.indexes.map((index) => [
    index.collectionGroup,
    index.queryScope,
    h("code", {}, fieldsOf(index.fields)),
    database,
    unused.has(JSON.stringify(index)) ? tag("not used") : "",
  ]);
};

const listOf = (rows) =>
  rows.length
    ? table("Indexes", [["Collection group"], ["Scope"], ["Fields"], ["Database"], ["Use"]], rows)
    : hint("No composite indexes are listed.");

export async function show({ root, project, params, signal, hear }) {
  const blob = params.get("create_composite") ?? params.get("create_exemption");
  const missing = h("div");
  const listed = h("div");
  const isAsked = ({ link }) => Boolean(blob && link?.includes(blob));

  async function add(database, entry) {
    await addIndex(pathOf(project, database), entry.configuration);
    await load();
  }

  async function load() {
    const names = await databasesOf(project, blob && databaseOf(blob), signal);
    const all = await Promise.all(names.map((name) => read(project, name, signal)));
    await fill(missing, () => {
      const cards = all.flatMap(({ database, report }) =>
        report.missing.map((entry) =>
          card(database, entry, isAsked(entry), () => add(database, entry))
        )
      );
      const isOff = all[0].report.mode === "off";
      if (cards.length) return cards;
      return isOff ? unchecked(project, load) : nothing();
    });
    await fill(listed, () => listOf(all.flatMap(rowsOf)));
  }

  root.append(h("h2", {}, "Missing"), missing, h("h2", {}, "Listed"), listed);
  hear((event) => {
    if (/^(indexes\.missing|switches|sync)/.test(event)) load();
  });
  await fill(missing, load);
  const target = missing.querySelector("[data-asked]");
  target?.scrollIntoView();
  target?.focus();
}
