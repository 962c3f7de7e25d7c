// The code that asks a query, for each SDK.

import { plain, typed } from "./values.js";

export const operators = {
  EQUAL: "==", NOT_EQUAL: "!=", LESS_THAN: "<", LESS_THAN_OR_EQUAL: "<=", GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=", ARRAY_CONTAINS: "array-contains", IN: "in",
  ARRAY_CONTAINS_ANY: "array-contains-any", NOT_IN: "not-in",
};
const swiftNames = {
  EQUAL: "isEqualTo", NOT_EQUAL: "isNotEqualTo", LESS_THAN: "isLessThan", LESS_THAN_OR_EQUAL: "isLessThanOrEqualTo",
  GREATER_THAN: "isGreaterThan", GREATER_THAN_OR_EQUAL: "isGreaterThanOrEqualTo", ARRAY_CONTAINS: "arrayContains",
  IN: "in", ARRAY_CONTAINS_ANY: "arrayContainsAny", NOT_IN: "notIn",
};
const kotlinNames = {
  EQUAL: "whereEqualTo", NOT_EQUAL: "whereNotEqualTo", LESS_THAN: "whereLessThan", LESS_THAN_OR_EQUAL: "whereLessThanOrEqualTo",
  GREATER_THAN: "whereGreaterThan", GREATER_THAN_OR_EQUAL: "whereGreaterThanOrEqualTo", ARRAY_CONTAINS: "whereArrayContains",
  IN: "whereIn", ARRAY_CONTAINS_ANY: "whereArrayContainsAny", NOT_IN: "whereNotIn",
};

const quoted = (text) => JSON.stringify(text);

/** A value in a language: its null, its lists, its times. */
function literal(value, { none, list, date }) {
  const [type, content] = typed(value);
  if (type === "nullValue") return none;
  if (type === "timestampValue") return date(content);
  if (type === "arrayValue") return list((content.values ?? []).map((one) => literal(one, { none, list, date })));
  return JSON.stringify(plain(value));
}

const brackets = (items) => `[${items.join(", ")}]`;
const js = { none: "null", list: brackets, date: (text) => `new Date(${quoted(text)})` };
const swift = { none: "NSNull()", list: brackets, date: (text) => `ISO8601DateFormatter().date(from: ${quoted(text)})!` };
const kotlin = { none: "null", list: (items) => `listOf(${items.join(", ")})`, date: (text) => `Date.from(Instant.parse(${quoted(text)}))` };
const python = { none: "None", list: brackets, date: (text) => `datetime.fromisoformat(${quoted(text)})` };

const swapped = (text) => text.replace(/\btrue\b/g, "True").replace(/\bfalse\b/g, "False");

/** Entries of [language, code] for a query of `filters`, `orders` and `limit`. */
export function queryCode({ path, group, filters, orders, limit }) {
  const name = quoted(group ? path.at(-1) : path.join("/"));
  const line = (parts, indent = "  ") => parts.filter(Boolean).join(`\n${indent}`);
  const isDown = (direction) => direction === "DESCENDING";
  return [
    ["Web", `const snapshot = await getDocs(query(${group ? "collectionGroup" : "collection"}(db, ${name})${[
      ...filters.map(({ field, op, value }) => `where(${quoted(field)}, ${quoted(operators[op])}, ${literal(value, js)})`),
      ...orders.map(({ field, direction }) => `orderBy(${quoted(field)}${isDown(direction) ? ', "desc"' : ""})`),
      limit && `limit(${limit})`].filter(Boolean).map((part) => `,\n  ${part}`).join("")}));`],
    ["Node Admin", `${line([`const snapshot = await db.${group ? "collectionGroup" : "collection"}(${name})`,
      ...filters.map(({ field, op, value }) => `.where(${quoted(field)}, ${quoted(operators[op])}, ${literal(value, js)})`),
      ...orders.map(({ field, direction }) => `.orderBy(${quoted(field)}${isDown(direction) ? ', "desc"' : ""})`),
      limit && `.limit(${limit})`, ".get();"])}`],
    ["Swift", `${line([`let snapshot = try await db.${group ? "collectionGroup" : "collection"}(${name})`,
      ...filters.map(({ field, op, value }) => `.whereField(${quoted(field)}, ${swiftNames[op]}: ${literal(value, swift)})`),
      ...orders.map(({ field, direction }) => `.order(by: ${quoted(field)}${isDown(direction) ? ", descending: true" : ""})`),
      limit && `.limit(to: ${limit})`, ".getDocuments()"])}`],
    ["Kotlin", `${line([`val snapshot = db.${group ? "collectionGroup" : "collection"}(${name})`,
      ...filters.map(({ field, op, value }) => `.${kotlinNames[op]}(${quoted(field)}, ${literal(value, kotlin)})`),
      ...orders.map(({ field, direction }) => `.orderBy(${quoted(field)}${isDown(direction) ? ", Query.Direction.DESCENDING" : ""})`),
      limit && `.limit(${limit})`, ".get().await()"])}`],
    ["Python", `documents = (${line([`db.${group ? "collection_group" : "collection"}(${name})`,
      ...filters.map(({ field, op, value }) => `.where(filter=FieldFilter(${quoted(field)}, ${quoted(operators[op].replace(/-/g, "_").replace("not_in", "not-in"))}, ${swapped(literal(value, python))}))`),
      ...orders.map(({ field, direction }) => `.order_by(${quoted(field)}${isDown(direction) ? ', direction="DESCENDING"' : ""})`),
      limit && `.limit(${limit})`, ".stream())"], "    ")}`],
  ];
}
