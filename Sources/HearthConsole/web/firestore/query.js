// A query put together by hand, its results, and the code that asks the same.

import { note } from "../core/routes.js";
import {
  actions, button, checkbox, field, fill, form, h, heading, hint, input, plural, pretty, select,
  snippets, table, tabs,
} from "../core/ui.js";
import { operators, queryCode } from "./querycode.js";
import { planView } from "./plan.js";
import { pathOf } from "./store.js";
import { exportQuery } from "./transfer.js";
import { brief, fromPlain, types } from "./values.js";

const valueTypes = ["stringValue", "integerValue", "doubleValue", "booleanValue", "timestampValue",
  "nullValue", "referenceValue",
  "arrayValue"
].map((type) => [type, types[type][0]]);
const mostColumns = 8;

const isUnary = (type) => type === "nullValue";

/** The query on the wire. */
function structured({ path, group, filters, orders, limit }) {
  const parts = filters.map(({ field: fieldPath, op, value }) => ("nullValue" in value ?
    { unaryFilter: { field: { fieldPath }, op: op === "NOT_EQUAL" ? "IS_NOT_NULL" :
        "IS_NULL" } } :
    { fieldFilter: { field: { fieldPath }, op, value } }));
  return {
    from: [{ collectionId: path.at(-1), ...(group && { allDescendants: true }) }],
    ...(parts.length === 1 && { where: parts[0] }),
    ...(parts.length > 1 && { where: { compositeFilter: { op: "AND", filters: parts } } }),
    ...(orders.length && { orderBy: orders.map(({ field: fieldPath, direction }) =>
    ({ field: { fieldPath }, direction })) }),
    ...(limit && { limit }),
  };
}

function rowList(label, make) {
  const list = h("div.conditions");
  const rows = new Map();
  const add = (state) => {
    const { controls, read } = make(state);
    const row = h("div.condition", {}, controls, button("×", () => { row.remove();
      rows.delete(row); }, { class: "quiet", "aria-label": `Remove the ${label}` }));
    rows.set(row, read);
    list.append(row);
  };
  return {
    add,
    read: () => [...rows.values()].map((read) => read()).filter(({ field: name }) => name),
    element: h("div", {}, list, button(`Add ${label}`, () => add({}), { class: "slim" }))
  };
}

const filterRow = ({ field: name = "", op = "EQUAL", type = "stringValue", text = "" }) => {
  const target = input({ value: name, placeholder: "field", "aria-label": "Field" });
  const operator = select(Object.entries(operators), op, { "aria-label": "Operator" });
  const kind = select(valueTypes, type, { "aria-label": "Type of the value" });
  const value = input({ value: text, placeholder: "value", "aria-label": "Value" });
  const adapt = () => {
    value.hidden = isUnary(kind.value);
    value.placeholder = kind.value === "arrayValue" ? '["a", "b"]' : "value";
  };
  operator.addEventListener("change", () => {
    if (/IN$|ANY$/.test(operator.value)) kind.value = "arrayValue";
    adapt();
  });
  kind.addEventListener("change", adapt);
  adapt();
  return {
    controls: [target, operator, kind, value],
    read: () => {
      const content = kind.value === "arrayValue" ? fromPlain(JSON.parse(value.value || "[]"))
        .arrayValue :
        types[kind.value][2](value.value);
      return {
        field: target.value.trim(),
        op: operator.value,
        type: kind.value,
        text: value.value,
        value: {
          [kind.value]: content }
      };
    }
  };
};

const orderRow = ({ field: name = "", direction = "ASCENDING" }) => {
  const target = input({ value: name, placeholder: "field", "aria-label": "Order by field" });
  const way = select([["ASCENDING", "ascending"], ["DESCENDING", "descending"]], direction, { "aria-label": "Direction" });
  return { controls: [target, way], read: () => ({ field: target.value.trim(), direction: way
        .value }) };
};

function resultTable(db, found) {
  if (!found.length) return hint("No documents.");
  const names = [...new Set(found.flatMap(({ fields = {} }) => Object.keys(fields)))].sort();
  const shown = names.slice(0, mostColumns);
  return [table("Results", [
      ["Document"], ...shown.map((name) => [name])
    ], found.map(({ name, fields = {} }) => [
      h("a.cut", { href: db.link(pathOf(name)), "data-row": "", title: pathOf(name).join(
          "/") }, pathOf(name).join("/")),
      ...shown.map((column) => h("div.cut", { title: brief(fields[column]) }, brief(fields[
        column])))
    ])),
    names.length > shown.length && hint(
      `${plural(names.length - shown.length, "more field")} not shown.`)
  ];
}

export function queryView({ db, path, params, place }) {
  let state = {};
  try { state = JSON.parse(params.get("query") ??
    "{}"); } catch { /* an address that was cut off */ }
  const start = path.length % 2 ? path : path.slice(0, -1);
  const collection = input({ required: true, value: start.join("/"),
    placeholder: "users, or users/ann/orders" });
  const group = checkbox(state.group);
  const filters = rowList("condition", filterRow);
  const orders = rowList("order", orderRow);
  const limit = input({ type: "number", min: 1, max: 1000, value: state.limit ?? 50 });
  const results = h("div", { role: "status" });
  (state.filters ?? []).forEach(filters.add);
  (state.orders ?? []).forEach(orders.add);

  const current = () => ({
    path: collection.value.split("/").filter(Boolean),
    group: group.checked,
    filters: filters.read(),
    orders: orders.read(),
    limit: Number(limit.value) || 0
  });

  async function run() {
    const wanted = current();
    if (wanted.path.length % 2 === 0) throw new Error(
      "A collection's path has an odd number of parts, such as users or users/ann/orders.");
    const query = structured(wanted);
    const parent = wanted.group ? [] : wanted.path.slice(0, -1);
    const kept = { group: wanted.group, filters: wanted.filters.map(({ value, ...rest }) => rest),
      orders: wanted.orders, limit: wanted.limit };
    note("firestore", wanted.path, { db: db.database === "(default)" ? "" : db.database,
      view: "query", query: JSON.stringify(kept) });
    const started = performance.now();
    const answer = await db.query(parent, query);
    const took = performance.now() - started;
    const found = answer.map(({ document }) => document).filter(Boolean);
    const save = (format) => exportQuery(db, parent, { ...query, limit: undefined }, format,
      wanted.path.at(-1));
    fill(results, () => [h("p.hint", {},
        `${plural(found.length, "document")} in ${took.toFixed(0)} ms`,
        wanted.limit && found.length === wanted.limit ? ", as many as the limit allows" : ""),
      tabs("Answer", [
        ["Results", () => resultTable(db, found)],
        ["Plan", () => planView(db, parent, query)],
        ["Code", () => snippets("SDK", queryCode(wanted))],
        ["JSON", () => h("pre", {}, pretty(query))]
      ]),
      actions(button("Count all", async () => {
          const [{ result }] = await db.count(parent, { ...query, limit: undefined });
          results.querySelector(".hint").append(
            ` – ${plural(result.aggregateFields.n.integerValue, "document")} without the limit`
            );
        }), button("Export JSON", () => save("json")), button("Export CSV", () => save(
        "csv")))
    ]);
  }

  place.replaceChildren(h("div.card.query", {}, heading("Query"), form([
    h("div.grid", {}, field("Collection", collection), field("Limit", limit)),
    field("All collections of this name", group, "A collection group"),
    h("h3", {}, "Where"), filters.element, h("h3", {}, "Order by"), orders.element
  ], "Run", run)), results);
  if (collection.value) run().catch((error) => fill(results, () => { throw error; }));
}
