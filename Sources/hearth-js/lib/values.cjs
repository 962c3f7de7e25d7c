"use strict";
// Values of Firestore as plain values of JavaScript, and as its REST API writes them.
//
// An object with one member whose name begins with `$` is a value that JavaScript does not have, as in
// seeds: `{ $reference: "users/ann" }`, `{ $geopoint: [51.5, -0.1] }`, `{ $vector: [1, 2] }`.

function encodeFields(values, root) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, encode(value, root)]));
}

function encode(value, root) {
  if (value === null) return { nullValue: null };
  switch (typeof value) {
    case "boolean":
      return { booleanValue: value };
    case "string":
      return { stringValue: value };
    case "bigint":
      return { integerValue: String(value) };
    case "number":
      return number(value);
    case "object":
      return object(value, root);
    default:
      throw new TypeError(`Firestore has no value for ${typeof value}`);
  }
}

function number(value) {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return { integerValue: String(value) };
  return { doubleValue: Number.isFinite(value) ? value : String(value) };
}

// Test runners have realms of their own: `instanceof` would miss values of another one.
const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

function object(value, root) {
  if (kindOf(value) === "Date") return { timestampValue: value.toISOString() };
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { bytesValue: bytes.toString("base64") };
  }
  if (Array.isArray(value)) {
    return { arrayValue: { values: value.map((one) => encode(one, root)) } };
  }
  return tagged(value, root) ?? { mapValue: { fields: encodeFields(value, root) } };
}

const TAGS = {
  $timestamp: (content) => ({ timestampValue: content }),
  $bytes: (content) => ({ bytesValue: content }),
  $double: (content) => ({ doubleValue: content }),
  $reference: (content, root) => ({
    referenceValue: content.startsWith("projects/") ? content : `${root}/documents/${content}`,
  }),
  $geopoint: ([latitude, longitude]) => ({ geoPointValue: { latitude, longitude } }),
  $vector: (content) => ({
    mapValue: {
      fields: {
        __type__: { stringValue: "__vector__" },
        value: { arrayValue: { values: content.map((one) => ({ doubleValue: one })) } },
      },
    },
  }),
  $map: (content, root) => ({ mapValue: { fields: encodeFields(content, root) } }),
};

function tagged(value, root) {
  const names = Object.keys(value);
  if (names.length !== 1 || !names[0].startsWith("$")) return undefined;
  const encoding = TAGS[names[0]];
  if (!encoding) {
    throw new TypeError(`${names[0]} is not known; a field with that name is written { $map: … }`);
  }
  return encoding(value[names[0]], root);
}

function decodeFields(fields = {}) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decode(value)]));
}

function decode(value) {
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case "integerValue": {
      const short = Number(content);
      return Number.isSafeInteger(short) ? short : BigInt(content);
    }
    case "doubleValue":
      return Number(content);
    case "bytesValue":
      return Buffer.from(content, "base64");
    case "timestampValue":
      return new Date(content);
    case "referenceValue":
      return { $reference: content.slice(content.indexOf("/documents/") + 11) };
    case "geoPointValue":
      return { $geopoint: [content.latitude ?? 0, content.longitude ?? 0] };
    case "arrayValue":
      return (content.values ?? []).map(decode);
    case "mapValue":
      return map(content.fields);
    default:
      return content;
  }
}

function map(fields) {
  const value = decodeFields(fields);
  return value.__type__ === "__vector__" ? { $vector: value.value } : value;
}

module.exports = { encodeFields, decodeFields };
