// Elements and controls. Text always goes in as text, never as HTML.

let lastId = 0;
export const freshId = () => `e${++lastId}`;

/** Makes an element: h("a.button", { href }, "Open"). Absent attributes and children are left out. */
export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.classList.add(...value.split(" ").filter(Boolean));
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => ![false, null, undefined, ""].includes(
    child)));
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
  settings: "M4 6h7M14 6h2M4 14h2M9 14h7M12.5 4v4M7.5 12v4",
};

/** A small drawing beside a name that says the same. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  for (const [key, value] of [
      ["viewBox", "0 0 20 20"],
      ["class", "icon"],
      ["aria-hidden", "true"]
    ]) {
    svg.setAttribute(key, value);
  }
  path.setAttribute("d", drawings[name]);
  svg.append(path);
  return svg;
}

const plain = { autocomplete: "off", spellcheck: "false" };
export const input = (attributes) => h("input", { ...plain, ...attributes });
export const area = (rows, value, attributes) => h("textarea", { ...plain, rows, value, ...
  attributes });
export const checkbox = (checked, attributes) => h(
  "input", { type: "checkbox", checked: Boolean(checked), ...attributes });
/** Options are [value, label]. */
export const select = (options, chosen, attributes) => h("select", attributes, options.map(
  ([value, label]) => h("option", { value, selected: value === chosen }, label ?? value)));

/** A control with its label and a hint. */
export function field(label, control, hint) {
  control.id ||= freshId();
  const note = hint && h("small", { id: freshId() }, hint);
  if (note) control.setAttribute("aria-describedby", note.id);
  const parts = [h("label", { for: control.id }, label), control, note];
  return control.type === "checkbox" ?
    h("div.field.check", {}, control, parts[0], note) : h("div.field", {}, parts);
}

export const actions = (...children) => h("p.actions", {}, children);
export const hint = (words) => h("p.hint", {}, words);
/** A heading that is given the focus when one comes to what it heads. */
export const heading = (words, level = 2) => h(`h${level}`, { tabindex: -1 }, words);
