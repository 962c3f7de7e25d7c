// Makes the children of an element those that a view wants. Focus, selection, scroll positions, open
// details and what was typed are kept.

import { given, hearersOf, isPart, listenTo, partFor } from "./dom.js";

const partOf = new WeakMap();
const keyOf = (node) => partOf.get(node)?.key ?? given(node)?.key;

/**
 * A part that looks after itself. As long as `state` is the same, its element stays; `make()` makes
 * one, which nobody changes but itself.
 */
export const part = (key, state, make) => ({ key, text: JSON.stringify(state), make });

/** Shows `wanted`, nodes and parts and text, as the children of `parent`. */
export function render(parent, ...wanted) {
  const list = wanted.flat(4).filter((one) => ![false, null, undefined, ""].includes(one));
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  arrange(parent, settle(parent, list));
  // An element that was moved has lost it.
  if (focused !== document.activeElement && focused?.isConnected) {
    focused.focus({ preventScroll: true });
  }
}

/** The nodes to show: known ones where they fit, brought up to date, and new ones. */
function settle(parent, list) {
  const here = new Set(parent.childNodes);
  const keyed = new Map();
  const others = [];
  // What is wanted as it is, is nothing to be made into something else.
  const wanted = new Set(list);
  for (const node of here) {
    const key = keyOf(node);
    if (key !== undefined) keyed.set(key, node);
    else if (!wanted.has(node)) others.push(node);
  }
  return list.map((one) => {
    if (here.has(one)) return one;
    const wantedPart = isPart(one) ? one : partFor(one);
    if (wantedPart) return settlePart(wantedPart, keyed.get(wantedPart.key));
    const fresh = typeof one === "object" ? one : document.createTextNode(String(one));
    const key = keyOf(fresh);
    const old = key === undefined ? take(others, fresh) : keyed.get(key);
    return old && canBecome(old, fresh) ? become(old, fresh) : complete(fresh);
  });
}

function settlePart(wanted, old) {
  if (old && partOf.get(old)?.text === wanted.text) return old;
  const made = complete(wanted.make());
  partOf.set(made, wanted);
  return made;
}

/** Makes the parts of an element that is new. */
function complete(fresh) {
  for (const child of [...fresh.childNodes]) {
    const wanted = partFor(child);
    if (wanted) {
      fresh.insertBefore(settlePart(wanted), child);
      child.remove();
    } else complete(child);
  }
  return fresh;
}

/** The first node without a key that can become the fresh one. */
function take(others, fresh) {
  const index = others.findIndex((old) => canBecome(old, fresh));
  return index < 0 ? undefined : others.splice(index, 1)[0];
}

const isText = (node) => node.nodeType === 3;
const canBecome = (old, fresh) =>
  old.nodeName === fresh.nodeName && !partOf.has(old) &&
  (isText(old) || Boolean(given(old) && given(fresh)));

/** Makes an element what a fresh one is. Only what was given otherwise before is changed. */
function become(old, fresh) {
  if (isText(old)) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  const before = given(old);
  const after = given(fresh);
  // A select takes a value that it has an option for.
  arrange(old, settle(old, [...fresh.childNodes]));
  for (const name of Object.keys({ ...before.values, ...after.values })) {
    if (before.values[name] !== after.values[name]) set(old, name, after.values[name]);
  }
  given(old, after);
  for (const [event, hear] of Object.entries(hearersOf(fresh))) listenTo(old, event, hear);
  for (const event of Object.keys(hearersOf(old))) {
    if (!hearersOf(fresh)[event]) listenTo(old, event, null);
  }
  return old;
}

function set(element, name, value) {
  if (name === "value" || name === "checked" || name === "className") {
    if (element[name] !== value) element[name] = value ?? "";
  } else if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Puts nodes in order; those that are in their place are not touched. */
export function arrange(parent, wanted) {
  const kept = new Set(wanted);
  for (const child of [...parent.childNodes]) if (!kept.has(child)) child.remove();
  let at = parent.firstChild;
  for (const node of wanted) {
    if (node === at) at = at.nextSibling;
    // Moved as it is where the browser can do that; else it is taken out and put in again.
    else if (node.parentNode === parent && parent.moveBefore) parent.moveBefore(node, at);
    else parent.insertBefore(node, at);
  }
}
