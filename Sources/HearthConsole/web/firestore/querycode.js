// The code that asks a query, for each SDK.

import { plain, typed } from "./values.js";

export const operators = {
  EQUAL: "==",
  NOT_EQUAL: "!=",
  LESS_THAN: "<",
  LESS_THAN_OR_EQUAL: "<=",
  GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=",
  ARRAY_CONTAINS: "array-contains",
  IN: "in",
  ARRAY_CONTAINS_ANY: "array-contains-any",
  NOT_IN: "not-in",
};
const swiftNames = {
  EQUAL: "isEqualTo",
  NOT_EQUAL: "isNotEqualTo",
  LESS_THAN: "isLessThan",
  LESS_THAN_OR_EQUAL: "isLessThanOrEqualTo",
  GREATER_THAN: "isGreaterThan",
  GREATER_THAN_OR_EQUAL: "isGreaterThanOrEqualTo",
  ARRAY_CONTAINS: "arrayContains",
  IN: "in",
  ARRAY_CONTAINS_ANY: "arrayContainsAny",
  NOT_IN: "notIn",
};
const kotlinNames = {
  EQUAL: "whereEqualTo",
  NOT_EQUAL: "whereNotEqualTo",
  LESS_THAN: "whereLessThan",
  LESS_THAN_OR_EQUAL: "whereLessThanOrEqualTo",
  GREATER_THAN: "whereGreaterThan",
  GREATER_THAN_OR_EQUAL: "whereGreaterThanOrEqualTo",
  ARRAY_CONTAINS: "whereArrayContains",
  IN: "whereIn",
  ARRAY_CONTAINS_ANY: "whereArrayContainsAny",
  NOT_IN: "whereNotIn",
};
const pythonNames = {
  ...operators,
  ARRAY_CONTAINS: "array_contains",
  ARRAY_CONTAINS_ANY: "array_contains_any",
};

const quoted = (text) => JSON.stringify(text);
const brackets = (items) => `[${items.join(", ")}]`;

/** How each language writes a value: its null, its lists, its times. */
const js = { none: "null", list: brackets, date: (text) => `new Date(${text})` };
const swift = {
  none: "NSNull()",
  list: brackets,
  date: (text) => `ISO8601DateFormatter().date(from: ${text})!`,
};
const kotlin = {
  none: "null",
  list: (items) => `listOf(${items.join(", ")})`,
  date: (text) => `Date.from(Instant.parse(${text}))`,
};
const python = {
  none: "None",
  list: brackets,
  date: (text) => `datetime.fromisoformat(${text})`,
  boolean: (isTrue) => (isTrue ? "True" : "False"),
};

function literal(value, language) {
  const [type, content] = typed(value);
  if (type === "nullValue") return language.none;
  if (type === "timestampValue") return language.date(quoted(content));
  if (type === "booleanValue") return language.boolean?.(content) ?? String(content);
  if (type === "arrayValue") {
    return language.list((content.values ?? []).map((one) => literal(one, language)));
  }
  return JSON.stringify(plain(value));
}

/** What a language says for each part of a query: the collection, a filter, an order, a limit. */
const languages = {
  Web: {
    start: (kind, name) => `const snapshot = await getDocs(query(${kind}(db, ${name})`,
    filter: (field, op, value) =>
      `where(${field}, ${quoted(operators[op])}, ${literal(value, js)})`,
    order: (field, isDown) => `orderBy(${field}${isDown ? ', "desc"' : ""})`,
    limit: (limit) => `limit(${limit})`,
    join: ([start, ...parts]) => `${[start, ...parts].join(",\n  ")}));`,
  },
  "Node Admin": {
    start: (kind, name) => `const snapshot = await db.${kind}(${name})`,
    filter: (field, op, value) =>
      `.where(${field}, ${quoted(operators[op])}, ${literal(value, js)})`,
    order: (field, isDown) => `.orderBy(${field}${isDown ? ', "desc"' : ""})`,
    limit: (limit) => `.limit(${limit})`,
    join: (parts) => [...parts, ".get();"].join("\n  "),
  },
  Swift: {
    start: (kind, name) => `let snapshot = try await db.${kind}(${name})`,
    filter: (field, op, value) =>
      `.whereField(${field}, ${swiftNames[op]}: ${literal(value, swift)})`,
    order: (field, isDown) => `.order(by: ${field}${isDown ? ", descending: true" : ""})`,
    limit: (limit) => `.limit(to: ${limit})`,
    join: (parts) => [...parts, ".getDocuments()"].join("\n  "),
  },
  Kotlin: {
    start: (kind, name) => `val snapshot = db.${kind}(${name})`,
    filter: (field, op, value) => `.${kotlinNames[op]}(${field}, ${literal(value, kotlin)})`,
    order: (field, isDown) => `.orderBy(${field}${isDown ? ", Query.Direction.DESCENDING" : ""})`,
    limit: (limit) => `.limit(${limit})`,
    join: (parts) => [...parts, ".get().await()"].join("\n  "),
  },
  Python: {
    start: (kind, name) =>
      `documents = (db.${kind === "collection" ? kind : "collection_group"}(${name})`,
    filter: (field, op, value) =>
      `.where(filter=FieldFilter(${field}, ${quoted(pythonNames[op])}, ${literal(value, python)}))`,
    order: (field, isDown) => `.order_by(${field}${isDown ? ', direction="DESCENDING"' : ""})`,
    limit: (limit) => `.limit(${limit})`,
    join: (parts) => [...parts, ".stream())"].join("\n    "),
  },
};

/** Entries of [language, code] for a query of `filters`, `orders` and `limit`. */
export function queryCode({ path, group, filters, orders, limit }) {
  const kind = group ? "collectionGroup" : "collection";
  const name = quoted(group ? path.at(-1) : path.join("/"));
  return Object.entries(languages).map(([title, language]) => [
    title,
    language.join([
      language.start(kind, name),
      ...filters.map(({ field, op, value }) => language.filter(quoted(field), op, value)),
      ...orders.map(({ field, direction }) =>
        language.order(quoted(field), direction === "DESCENDING")
      ),
      ...(limit ? [language.limit(limit)] : []),
    ]),
  ]);
}
