// Elements and controls. Text always goes in as text, never as HTML.

let lastId = 0;
export const freshId = () => `e${++lastId}`;

/** How elements were made: their key, and the attributes that they were given. */
const madeBy = new WeakMap();
const hearers = new WeakMap();

/** What an element was given when it was made or rendered last; with a second one, notes that. */
export function given(element, other) {
  if (other) madeBy.set(element, other);
  return madeBy.get(element);
}

export const hearersOf = (element) => hearers.get(element) ?? {};

const dispatch = (event) => hearersOf(event.currentTarget)[event.type]?.(event);

/** Has one function hear an event of an element, in place of the one before. */
export function listenTo(element, event, hear) {
  const all = hearersOf(element);
  if (!hearers.has(element)) hearers.set(element, all);
  if (!(event in all)) element.addEventListener(event, dispatch);
  all[event] = hear;
}

const waiting = new WeakMap();

/** What takes the place of a part until it is rendered. */
function placeFor(part) {
  const node = document.createComment("");
  waiting.set(node, part);
  return node;
}

/** The part that a node takes the place of. */
export const partFor = (node) => waiting.get(node);

export const isPart = (child) => typeof child?.make === "function";

/** Gives an element an attribute as if it had been made with it. */
export function give(element, name, value) {
  element.setAttribute(name, value);
  const made = given(element);
  if (made) made.values[name] = String(value);
}

/**
 * Makes an element: h("a.button", { href }, "Open"). Absent attributes and children are left out.
 * By its `key` it is found again when a list is rendered.
 */
export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  const values = {};
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "key") continue;
    if (key.startsWith("on")) listenTo(element, key.slice(2), value);
    else if (key === "class") classes.push(...value.split(" ").filter(Boolean));
    else if (key === "value" || key === "checked") values[key] = element[key] = value;
    else element.setAttribute(key, values[key] = value === true ? "" : String(value));
  }
  if (classes.length) element.className = values.className = classes.join(" ");
  given(element, { key: attributes?.key, values });
  element.append(
    ...children.flat(4).filter((child) => ![false, null, undefined, ""].includes(child))
      .map((child) => (isPart(child) ? placeFor(child) : child)),
  );
  return element;
}

const drawings = {
  overview: "M3 10.5 10 4l7 6.5M5 9v7.5h10V9",
  mailbox: "M3 5h14v10.5H3zM3 6l7 5.5L17 6",
  users: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c.5-3.5 3-5 6-5s5.5 1.5 6 5",
  firestore: "M4 5.5c0-3 12-3 12 0s-12 3-12 0zM4 5.5v9c0 3 12 3 12 0v-9M4 10c0 3 12 3 12 0",
  rules: "M10 3l6.5 2v5c0 4-3 6.5-6.5 7.5C6.5 16.5 3.5 14 3.5 10V5zM7 10l2.2 2.2L13.3 8",
  indexes: "M4 5h8M4 10h6M4 15h4M15 4v12M12.5 13.5 15 16l2.5-2.5",
  requests: "M3 6h11l-3-3M17 14H6l3 3",
  faults: "M11 3 5 11h4.5L9 17l6-8h-4.5z",
  clock: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4.3l3 1.7",
  keys: "M7 13a3.5 3.5 0 1 1 3.3-4.7H17v3h-2V13h-2.5v-1.7h-2.2A3.5 3.5 0 0 1 7 13z",
  appcheck: "M10 3l6.5 2v5c0 4-3 6.5-6.5 7.5C6.5 16.5 3.5 14 3.5 10V5zM10 7v3.5M10 13v.1",
  settings: "M4 6h7M14 6h2M4 14h2M9 14h7M12.5 4v4M7.5 12v4",
  attachment: "M14.5 9.5 9 15a3 3 0 0 1-4.3-4.3l6.3-6.2a2 2 0 0 1 2.9 2.9L8 13.2",
  bell: "M5 14c1-1 1.3-2.5 1.3-5a3.7 3.7 0 0 1 7.4 0c0 2.5.3 4 1.3 5zM8.5 16.5h3",
  check: "M4.5 10.5 8.3 14.2 15.5 6.5",
  chevron: "M6 8l4 4 4-4",
  close: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  copy: "M7.5 7.5h8.5v8.5H7.5zM12.5 7.5V4H4v8.5h3.5",
  find: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4",
  frozen: "M10 3v14M4 6.5l12 7M16 6.5l-12 7M8 3.5l2 2 2-2M8 16.5l2-2 2 2",
  help: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM8 8.2a2 2 0 1 1 2.6 2c-.5.2-.6.5-.6 1.2M10 13.8v.1",
  look: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 3v14M10 6a4 4 0 0 1 0 8",
  next: "M8 6l4 4-4 4",
  open: "M11 4h5v5M16 4l-7 7M14 11.5V16H4V6h4.5",
  previous: "M12 6l-4 4 4 4",
  profile:
    "M10 3l1.8 1.5 2.3-.2.6 2.2 2 1.2-.9 2.1.9 2.1-2 1.2-.6 2.2-2.3-.2L10 17l-1.8-1.9-2.3.2-.6-2.2-2-1.2.9-2.1-.9-2.1 2-1.2.6-2.2 2.3.2z",
  remove: "M4 6h12M8 6V4h4v2M5.5 6l.7 10h7.6l.7-10M8.5 9v4.5M11.5 9v4.5",
  timeline: "M6 3v14M6 6h9M6 10h6M6 14h8",
  triggers:
    "M6 7a2.5 2.5 0 1 0-2.5-2.5A2.5 2.5 0 0 0 6 7zM6 7v6M14 18a2.5 2.5 0 1 0-2.5-2.5M6 13c0 2.5 3 2.5 5.5 2.5",
  unread: "M3 7v8.5h14V10M3 7.5l7 5 3-2.2M15.5 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
};

/** A small drawing beside a name that says the same. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  for (
    const [key, value] of [["viewBox", "0 0 20 20"], ["class", "icon"], ["aria-hidden", "true"]]
  ) {
    svg.setAttribute(key, value);
  }
  path.setAttribute("d", drawings[name]);
  svg.append(path);
  return svg;
}

const plain = { autocomplete: "off", spellcheck: "false" };
export const input = (attributes) => h("input", { ...plain, ...attributes });
export const area = (rows, value, attributes) =>
  h("textarea", { ...plain, rows, value, ...attributes });
export const checkbox = (checked, attributes) =>
  h("input", { type: "checkbox", checked: Boolean(checked), ...attributes });
/** Options are [value, label]. */
export const select = (options, chosen, attributes) =>
  h(
    "select",
    { ...attributes, value: chosen },
    options.map(
      ([value, label]) => h("option", { value, selected: value === chosen }, label ?? value),
    ),
  );

/** A control with its label and a hint. */
export function field(label, control, hint) {
  if (!control.id) give(control, "id", freshId());
  const note = hint && h("small", { id: freshId() }, hint);
  if (note) give(control, "aria-describedby", note.id);
  const parts = [h("label", { for: control.id }, label), control, note];
  return control.type === "checkbox"
    ? h("div.field.check", {}, control, parts[0], note)
    : h("div.field", {}, parts);
}

export const actions = (...children) => h("p.actions", {}, children);
export const hint = (words) => h("p.hint", {}, words);
/** A heading that is given the focus when one comes to what it heads. */
export const heading = (words, level = 2) => h(`h${level}`, { tabindex: -1 }, words);
