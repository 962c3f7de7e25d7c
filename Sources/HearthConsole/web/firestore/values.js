// Values as they are on the wire, as text, and back.

import { parseObject, pretty } from "../core/ui.js";

function checked(text, pattern, wanted) {
  if (!pattern.test(text.trim())) throw new Error(`“${text}” is not ${wanted}.`);
  return text.trim();
}

const number = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function double(text) {
  const word = text.trim();
  return /^(NaN|-?Infinity)$/.test(word) ? word : Number(checked(word, number, "a number"));
}

function place(text) {
  const [latitude, longitude] = checked(
    text,
    /^-?[\d.]+\s*,\s*-?[\d.]+$/,
    "a latitude, a comma and a longitude",
  ).split(",").map(Number);
  return { latitude, longitude };
}

/** The types of values: their name, the text for a value, the value for a text. */
export const types = {
  stringValue: ["string", String, String],
  integerValue: ["integer", String, (text) => checked(text, /^-?\d+$/, "an integer")],
  doubleValue: ["double", String, double],
  booleanValue: [
    "boolean",
    String,
    (text) => checked(text, /^(true|false)$/, "true or false") === "true",
  ],
  timestampValue: [
    "timestamp",
    String,
    (text) =>
      checked(
        text,
        /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/,
        "a time such as 2026-01-31T12:00:00Z",
      ),
  ],
  nullValue: ["null", () => "", () => null],
  referenceValue: [
    "reference",
    String,
    (text) => checked(text, /^projects\//, "projects/…/documents/…"),
  ],
  geoPointValue: [
    "geo point",
    ({ latitude = 0, longitude = 0 }) => `${latitude}, ${longitude}`,
    place,
  ],
  bytesValue: ["bytes", String, (text) => checked(text, /^[\w+/=-]*$/, "Base64")],
  arrayValue: [
    "array",
    ({ values = [] }) => pretty(values),
    (text) => ({ values: JSON.parse(text || "[]") }),
  ],
  mapValue: [
    "map",
    ({ fields = {} }) => pretty(fields),
    (text) => ({ fields: parseObject(text || "{}", "A map") }),
  ],
  vector: ["vector", vectorText, vectorOf],
};

export const typeOptions = Object.entries(types).map(([key, [label]]) => [key, label]);
export const holdsMore = (type) => type === "arrayValue" || type === "mapValue";

function vectorText({ fields }) {
  return (fields.value?.arrayValue?.values ?? []).map((one) => one.doubleValue ?? one.integerValue)
    .join(", ");
}

function vectorOf(text) {
  const values = text.split(",").filter((part) => part.trim()).map((part) => ({
    doubleValue: double(part),
  }));
  return { fields: { __type__: { stringValue: "__vector__" }, value: { arrayValue: { values } } } };
}

/** The type of a value and its content; a vector is a map on the wire. */
export function typed(value) {
  const [[type, content]] = Object.entries(value);
  return type === "mapValue" && content.fields?.__type__?.stringValue === "__vector__"
    ? ["vector", content]
    : [type, content];
}

/** The value on the wire. */
export const wired = (type, content) => ({ [type === "vector" ? "mapValue" : type]: content });

/** A value as plain JSON: what a person expects to read. */
export function plain(value) {
  if (value === undefined) return undefined;
  const [type, content] = typed(value);
  if (type === "mapValue") {
    return Object.fromEntries(
      Object.entries(content.fields ?? {}).map(([name, one]) => [name, plain(one)]),
    );
  }
  if (type === "arrayValue") return (content.values ?? []).map(plain);
  if (type === "integerValue") {
    return Number.isSafeInteger(Number(content)) ? Number(content) : content;
  }
  if (type === "vector") return vectorText(content).split(", ").map(Number);
  return content;
}

/** A value in one line. */
export function brief(value) {
  if (value === undefined) return "";
  const one = plain(value);
  const text = typeof one === "string" ? one : JSON.stringify(one);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Plain JSON as a value, for those who type it. */
export function fromPlain(value) {
  if (value === null) return { nullValue: null };
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { booleanValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { integerValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(fromPlain) } };
  return {
    mapValue: {
      fields: Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, fromPlain(one)]),
      ),
    },
  };
}

export const sorted = (fields) =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
