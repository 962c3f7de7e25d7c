// A query put together by hand, its results, and the code that asks the same.

import { note } from "../core/routes.js";
import {
  actions,
  button,
  checkbox,
  field,
  fill,
  form,
  h,
  heading,
  input,
  plural,
  pretty,
  snippets,
  tabs,
} from "../core/ui.js";
import { filterRow, orderRow, rowList } from "./conditions.js";
import { addIndex } from "../core/undo.js";
import { missingIndex, planOf } from "./plan.js";
import { queryCode } from "./querycode.js";
import { resultTable } from "./results.js";
import { exportQuery } from "./transfer.js";

/** The query on the wire. */
function structured({ path, group, filters, orders, limit }) {
  const parts = filters.map((
    { field: fieldPath, op, value },
  ) => ("nullValue" in value
    ? { unaryFilter: { field: { fieldPath }, op: op === "NOT_EQUAL" ? "IS_NOT_NULL" : "IS_NULL" } }
    : { fieldFilter: { field: { fieldPath }, op, value } })
  );
  return {
    from: [{ collectionId: path.at(-1), ...(group && { allDescendants: true }) }],
    ...(parts.length === 1 && { where: parts[0] }),
    ...(parts.length > 1 && { where: { compositeFilter: { op: "AND", filters: parts } } }),
    ...(orders.length &&
      {
        orderBy: orders.map(({ field: fieldPath, direction }) => ({
          field: { fieldPath },
          direction,
        })),
      }),
    ...(limit && { limit }),
  };
}

/** What a query asks for, from its address. */
function asked(params) {
  try {
    return JSON.parse(params.get("query") ?? "{}");
  } catch {
    // An address that was cut off.
    return {};
  }
}

/** The controls of a query, and what they say. */
function builder(path, state) {
  const collection = input({
    required: true,
    value: (path.length % 2 ? path : path.slice(0, -1)).join("/"),
    placeholder: "users, or users/ann/orders",
  });
  const group = checkbox(state.group);
  const filters = rowList("condition", filterRow);
  const orders = rowList("order", orderRow);
  const limit = input({ type: "number", min: 1, max: 1000, value: state.limit ?? 50 });
  // The first condition is there to be typed; one without a field does not count.
  (state.filters?.length ? state.filters : [{}]).forEach(filters.add);
  (state.orders ?? []).forEach(orders.add);
  return {
    read: () => ({
      path: collection.value.split("/").filter(Boolean),
      group: group.checked,
      filters: filters.read(),
      orders: orders.read(),
      limit: Number(limit.value) || 0,
    }),
    isEmpty: () => !collection.value,
    fields: [
      h("div.grid", {}, field("Collection", collection), field("Limit", limit)),
      field("All collections of this name", group, "A collection group"),
      h("h3", {}, "Where"),
      filters.element,
      h("h3", {}, "Order by"),
      orders.element,
    ],
  };
}

/** The address that asks the same. */
const keep = (db, { path, filters, ...rest }) =>
  note("firestore", path, {
    db: db.database === "(default)" ? "" : db.database,
    view: "query",
    query: JSON.stringify({ ...rest, filters: filters.map(({ value: _, ...one }) => one) }),
  });

/** Asks the server; answers the documents, what it cost, and the index that is missing. */
async function ask(db, parent, query) {
  const answer = await db.explain(parent, query);
  return {
    found: answer.map(({ document }) => document).filter(Boolean),
    metrics: answer.findLast((row) => row.explainMetrics)?.explainMetrics ?? {},
    missing: await missingIndex(db, parent, query),
  };
}

/** `0.0011s` in milliseconds. */
const milliseconds = ({ executionStats = {} }) =>
  `${Number((parseFloat(executionStats.executionDuration ?? "0") * 1000).toPrecision(2))} ms`;

/** What a query came to, in words. */
function summary({ found, metrics }, { limit }) {
  const isFull = limit && found.length === limit;
  return h(
    "p.hint",
    {},
    `${plural(found.length, "document")} in ${milliseconds(metrics)} on the server`,
    isFull ? ", as many as the limit allows" : "",
  );
}

/** Says that production would refuse the query, and adds what it needs. */
const refusal = (db, { reason, configuration }) =>
  h(
    "p.notice.warn",
    {},
    "Production would refuse this query: no index serves it. ",
    reason ? `${reason} ` : "",
    configuration &&
      button("Add the index", () => addIndex(db.own("/indexes"), configuration), { class: "link" }),
  );

function results(db, parent, query, wanted, answer) {
  const save = (format) =>
    exportQuery(db, parent, { ...query, limit: undefined }, format, wanted.path.at(-1));
  const total = h("span");
  const countAll = async () => {
    const [{ result }] = await db.count(parent, { ...query, limit: undefined });
    const count = result.aggregateFields.n.integerValue;
    total.textContent = `${plural(count, "document")} without the limit`;
  };
  return [
    summary(answer, wanted),
    answer.missing && refusal(db, answer.missing),
    tabs("Answer", [
      ["Results", () => resultTable(db, answer.found)],
      ["Plan", () => planOf(answer)],
      ["Code", () => snippets("SDK", queryCode(wanted))],
      ["JSON", () => h("pre", {}, pretty(query))],
    ]),
    actions(
      button("Count all", countAll),
      button("Export JSON", () => save("json")),
      button("Export CSV", () => save("csv")),
      total,
    ),
  ];
}

export function queryView({ db, path, params, place }) {
  const { read, isEmpty, fields } = builder(path, asked(params));
  const answer = h("div", { role: "status" });
  let runs = 0;

  async function run() {
    const wanted = read();
    if (wanted.path.length % 2 === 0) {
      throw new Error(
        "A collection's path has an odd number of parts, such as users or users/ann/orders.",
      );
    }
    const query = structured(wanted);
    const parent = wanted.group ? [] : wanted.path.slice(0, -1);
    keep(db, wanted);
    const number = ++runs;
    const found = await ask(db, parent, query);
    if (number === runs) fill(answer, () => results(db, parent, query, wanted, found));
  }

  place.replaceChildren(
    h("div.card.query", {}, heading("Query"), form(fields, "Run", run)),
    answer,
  );
  if (isEmpty()) return;
  run().catch((error) =>
    fill(answer, () => {
      throw error;
    })
  );
}
