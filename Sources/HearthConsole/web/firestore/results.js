// The documents that a query found, as a table.

import { h, hint, plural, table, time } from "../core/ui.js";
import { pathOf } from "./store.js";
import { brief, typed } from "./values.js";

const mostColumns = 8;

/** Texts that would be taken for something else. */
const isMisleading = (text) => text === "" || /^(-?[\d.]+|true|false|null|–)$/.test(text);

/** A value in a cell: one that is missing, null, an empty text and 0 look different. */
export function cell(value) {
  if (value === undefined) return h("span.hint", { title: "The document has no such field." }, "–");
  const [type, content] = typed(value);
  if (type === "nullValue") return h("code", {}, "null");
  if (type === "timestampValue") return time(content);
  if (type === "referenceValue") return pathOf(content).join("/");
  if (type === "stringValue" && isMisleading(content)) return `"${content}"`;
  return brief(value);
}

export function resultTable(db, found) {
  if (!found.length) return hint("No documents.");
  const names = [...new Set(found.flatMap(({ fields = {} }) => Object.keys(fields)))].sort();
  const shown = names.slice(0, mostColumns);
  const link = (path) =>
    h("a.cut", { href: db.link(path), "data-row": "", title: path.join("/") }, path.join("/"));
  return [
    table(
      "Results",
      [["Document"], ...shown.map((name) => [name])],
      found.map(({ name, fields = {} }) => [
        link(pathOf(name)),
        ...shown.map((column) =>
          h("div.cut", { title: brief(fields[column]) }, cell(fields[column]))
        ),
      ]),
    ),
    names.length > shown.length &&
    hint(`${plural(names.length - shown.length, "more field")} not shown.`),
  ];
}
