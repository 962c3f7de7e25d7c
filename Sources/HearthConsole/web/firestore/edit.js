// The fields of a document while they are edited: a tree of names, types and texts.

import { fromPlain, holdsMore, typed, types, wired } from "./values.js";

/** Longer maps and arrays are folded until somebody opens them. */
const longestOpen = 20;
let fresh = 0;

/** A reference below `root`, the documents of this database, without it; and with it again. */
const relative = (text, root) => (text.startsWith(`${root}/`) ? text.slice(root.length + 1) : text);
export const absolute = (text, root) =>
  /^projects\//.test(text) || !text.includes("/") ? text : `${root}/${text}`;

function textOf(type, content, root) {
  // What is kept of a value that was not finished is its text.
  if (typeof content === "string") {
    return type === "referenceValue" ? relative(content, root) : content;
  }
  return Object.hasOwn(types, type) ? types[type][1](content) : JSON.stringify(content, null, 2);
}

/** A value by its name. The key is the same whenever the same place is read again. */
function node(name, value, root, key) {
  const [type, content] = typed(value);
  const made = { key, name, type, text: "", children: null, isFolded: false, held: new Map() };
  if (!holdsMore(type)) return { ...made, text: textOf(type, content, root) };
  const children = type === "mapValue"
    ? opened(content.fields ?? {}, root, key)
    : (content.values ?? []).map((one, index) => node("", one, root, `${key}/${index}`));
  return { ...made, children, isFolded: children.length > longestOpen };
}

/** The tree of fields. */
export const opened = (fields, root, key = "") =>
  Object.entries(fields).map(([name, value]) => node(name, value, root, `${key}/${name}`));

/** A new value in a map or an array. One that is spare counts once something is typed in it. */
export const added = (isSpare = false) => ({
  ...node("", { stringValue: "" }, "", `new ${++fresh}`),
  isNew: true,
  isSpare,
});

/** Notes that something was typed in a value. The last one of a new map or array is followed by a spare. */
export function typedIn(one, parent) {
  const wasSpare = one.isSpare;
  one.isSpare = false;
  if (!parent.isNew || parent.children.at(-1) !== one) return wasSpare;
  parent.children.push(added(true));
  return true;
}

function unique(entries) {
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`There are two fields named ${twice}.`);
  return entries;
}

/** Those in which something was typed. */
export const counted = (nodes) => nodes.filter(({ isSpare }) => !isSpare);

function contentOf({ type, text, children }, root, isLenient) {
  if (type === "mapValue") return { fields: closed(children, root, isLenient) };
  if (type === "arrayValue") {
    return { values: counted(children).map((one) => valueOf(one, root, isLenient)) };
  }
  const read = Object.hasOwn(types, type) ? types[type][2] : JSON.parse;
  return read(type === "referenceValue" ? absolute(text, root) : text);
}

function valueOf(one, root, isLenient) {
  try {
    return wired(one.type, contentOf(one, root, isLenient));
  } catch (error) {
    if (isLenient) return { [one.type]: one.text };
    throw new Error(one.name ? `${one.name}: ${error.message}` : error.message);
  }
}

/**
 * The fields of a tree. Two fields of one name are an error; so is a text that does not fit its type,
 * unless the reading is lenient.
 */
export function closed(nodes, root, isLenient) {
  const entries = counted(nodes).map((one) => [one.name, valueOf(one, root, isLenient)]);
  return Object.fromEntries(isLenient ? entries : unique(entries));
}

/** What a value of another type begins with. */
function carried(type, text) {
  if (type === "booleanValue") return String(text === "true");
  if (type === "geoPointValue") return "0, 0";
  if (type === "timestampValue" && !text) return new Date().toISOString();
  return type === "vector" ? "" : text;
}

/** What a text of JSON holds as a map or an array; nothing where it is no such thing. */
function childrenOf(type, text) {
  try {
    const value = fromPlain(JSON.parse(text));
    return value[type] && node("", value, "", `new ${++fresh}`).children;
  } catch {
    return undefined;
  }
}

/** Gives a value another type. Back to one that held more, nothing was lost meanwhile. */
export function retype(one, type) {
  const isRich = holdsMore(one.type) || ["vector", "geoPointValue"].includes(one.type);
  if (isRich) one.held.set(one.type, { text: one.text, children: one.children });
  const before = isRich ? "" : one.text;
  one.type = type;
  const kept = one.held.get(type);
  // What is new and holds more begins with one value, or with those of a text of JSON.
  const first = () => {
    const typed = childrenOf(type, before) ?? [];
    return typed.length || !one.isNew ? typed : [added()];
  };
  one.children = kept?.children ?? (holdsMore(type) ? first() : null);
  one.text = kept?.text ?? (holdsMore(type) ? "" : carried(type, before));
  one.isFolded = false;
}
