// The fields of a document as a tree that is edited in place.

import { button, form, h, input, pretty, select } from "../core/ui.js";
import { linkTo } from "../core/routes.js";
import { holdsMore, typed, typeOptions, types, wired } from "./values.js";

function valueControl(type, text) {
  const attributes = { "aria-label": "Value", hidden: type === "nullValue" };
  if (type === "booleanValue") return select([["true"], ["false"]], text, attributes);
  const isLong = text.includes("\n") || text.length > 60;
  const element = h(isLong ? "textarea" : "input", { ...attributes, rows: isLong && Math.min(8, Math
      .max(2, Math.ceil(text.length / 60))), spellcheck: "false", value: text });
  return element;
}

/** Where a reference leads, when it is to a document of a database. */
function follow(text) {
  const match = /^projects\/([^/]+)\/databases\/([^/]+)\/documents\/(.+)$/.exec(text);
  return match && h("a.follow", {
    title: "Go to the document",
    "aria-label": `Go to ${match[3]}`,
    href: linkTo("firestore",
      match[3].split("/"), { db: match[2] === "(default)" ? "" : match[2] })
  }, "→");
}

/** A reference below `root`, the documents of this database, without it; and with it again. */
const relative = (text, root) => (text.startsWith(`${root}/`) ? text.slice(root.length + 1) : text);
const absolute = (text, root) => (/^projects\//.test(text) || !text.includes("/") ? text :
  `${root}/${text}`);

/**
 * A list of fields or elements. `read()` answers the entries as [name, value]; `named` says whether
 * they have names of their own.
 */
function group(entries, named, label, context, path) {
  const { changed, root } = context;
  const rows = h("div.rows");
  const readers = new Map();
  const renumber = () => [...rows.children].forEach((row, index) => {
    if (!named) row.querySelector(".index").textContent = index;
  });

  function add(name, value, isNew) {
    let [type, content] = typed(value);
    // A type that this console does not know stays as it is.
    const isKnown = Object.hasOwn(types, type);
    const where = [...path, name].join(".");
    const title = named ? input({ value: name, required: true, "aria-label": "Name" }) :
      h("span.index", {}, String(readers.size));
    const kind = select(isKnown ? typeOptions : [[type]], type, { "aria-label": "Type" });
    const place = h("div.value");
    let read = null;

    function put() {
      if (holdsMore(type)) {
        const isMap = type === "mapValue";
        const inner = group(isMap ? Object.entries(content.fields ?? {}) :
          (content.values ?? []).map((one, index) => [String(index), one]), isMap,
          isMap ? `Add field to ${name || "it"}` : `Add element to ${name || "it"}`, context, [...
            path, name
          ]);
        place.replaceChildren(inner.element);
        read = () => (isMap ? { fields: Object.fromEntries(unique(inner.read())) } :
          { values: inner.read().map(([, one]) => one) });
        return;
      }
      const text = isKnown ? types[type][1](content) : pretty(content);
      const isReference = type === "referenceValue";
      const control = valueControl(type, isReference ? relative(text, root) : text);
      place.replaceChildren(control, ...[isReference && follow(text)].filter(Boolean));
      read = () => (isKnown ? types[type][2] : JSON.parse)(isReference ? absolute(control.value,
        root) : control.value);
    }
    put();
    const row = h("fieldset.row", { "data-path": where, class: isNew && "fresh" }, h(
        "legend.unseen", {}, "Field"),
      title, kind, place, h("button.quiet", {
        type: "button",
        "aria-label": named ? `Remove the field ${name}` : `Remove element ${name}`,
        onclick: () => {
          row.remove();
          readers.delete(row);
          renumber();
          changed();
        }
      }, "×"));
    row.classList.toggle("nested", holdsMore(type));
    kind.addEventListener("change", () => {
      const before = place.querySelector(":scope > input, :scope > textarea, :scope > select")
        ?.value ?? "";
      type = kind.value;
      content = holdsMore(type) || type === "vector" ? { fields: {}, values: [] } :
        type === "booleanValue" ? before === "true" : type === "geoPointValue" ? {} : before;
      if (type === "timestampValue" && !before) content = new Date().toISOString();
      row.classList.toggle("nested", holdsMore(type));
      put();
      changed();
    });
    readers.set(row, () => {
      try {
        return [named ? title.value : "", wired(type, read())];
      } catch (error) {
        throw new Error(named ? `${title.value}: ${error.message}` : error.message);
      }
    });
    rows.append(row);
    return named ? title : kind;
  }
  for (const [name, value] of entries) add(name, value);
  return {
    add: () => { const control = add("", { stringValue: "" }, true);
      changed();
      control.focus(); },
    element: h("div.group", {}, rows, label && button(label.startsWith("Add field") ? "+ field" :
      "+ element",
      () => { const control = add(named ? "" : String(readers.size), { stringValue: "" }, true);
        changed();
        control.focus(); }, { class: "slim quiet", "aria-label": label })),
    read: () => [...readers.values()].map((reader) => reader()),
  };
}

function unique(made) {
  const names = made.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`There are two fields named ${twice}.`);
  return made;
}

/**
 * The form of a document's fields. `changed` is called when a person edits them; `root` is the name
 * of the database's documents, which references to them are shown without.
 */
export function fieldForm(fields, save, changed, root) {
  const top = group(Object.entries(fields), true, "", { changed, root }, []);
  const element = form(top.element, "Save", () => save(Object.fromEntries(unique(top.read()))),
    "primary",
    button("Add field", top.add));
  element.classList.add("fields");
  element.addEventListener("input", changed);
  return element;
}
