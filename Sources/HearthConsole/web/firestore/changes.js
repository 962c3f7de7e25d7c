// What differs between two versions of a document, path by path.

import { typed } from "./values.js";

const quoted = (name) => {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  const tick = "\x60";
  return tick + name.replace(/[\\\x60]/g, "\\$&") + tick;
};

const isMap = (value) => value !== undefined && typed(value)[0] === "mapValue";
const fieldsOf = (value) => value.mapValue.fields ?? {};
/** As text, with the names of maps in one order. */
const text = (value) =>
  JSON.stringify(value, (_, one) => (one && typeof one === "object" &&
      !Array.isArray(one)
    ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
    : one));

/**
 * The paths that differ: `[{ path, before, after }]`, where a missing value is undefined. Of maps
 * that are in both, the members are compared.
 */
export function changes(before, after, parents = []) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [one, other] = [before[name], after[name]];
    if (text(one ?? null) === text(other ?? null)) return [];
    const path = [...parents, quoted(name)];
    if (isMap(one) && isMap(other)) return changes(fieldsOf(one), fieldsOf(other), path);
    return [{ path: path.join("."), before: one, after: other }];
  });
}

const overlap = (one, other) =>
  one === other || one.startsWith(`${other}.`) ||
  other.startsWith(`${one}.`);

/** The changes of one side that meet those of the other, and come to something else. */
export const conflicts = (mine, theirs) =>
  mine.filter(({ path, after }) =>
    theirs.some((other) =>
      overlap(path, other.path) &&
      !(path === other.path && text(after ?? null) === text(other.after ?? null))
    )
  );

/** Whether a path is part of what another one changes. */
export const meets = (path, list) => list.find((other) => overlap(path, other.path));
