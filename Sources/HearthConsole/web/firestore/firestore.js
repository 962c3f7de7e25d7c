// Collections and documents, side by side, and an editor of a document's fields.

import { call } from "./api.js";
import {
  actions, area, button, dangerous, dialog, facts, field, fill, form, h, heading, hint, input,
  parseObject, pretty, say, select, tabs, time,
} from "./ui.js";

function checked(text, pattern, wanted) {
  if (!pattern.test(text.trim())) throw new Error(`“${text}” is not ${wanted}.`);
  return text.trim();
}

/** The types of values: their name, the text for a value, the value for a text. */
const types = {
  stringValue: ["string", String, String],
  integerValue: ["integer", String, (text) => checked(text, /^-?\d+$/, "an integer")],
  doubleValue: ["double", String, (text) => (/^(NaN|-?Infinity)$/.test(text) ? text
    : Number(checked(text, /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, "a number")))],
  booleanValue: ["boolean", String,
    (text) => checked(text, /^(true|false)$/, "true or false") === "true"],
  timestampValue: ["timestamp", String, (text) => checked(text,
    /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/, "a time such as 2026-01-31T12:00:00Z")],
  nullValue: ["null", () => "", () => null],
  referenceValue: ["reference", String,
    (text) => checked(text, /^projects\//, "projects/…/documents/…")],
  geoPointValue: ["geo point", ({ latitude = 0, longitude = 0 }) => `${latitude}, ${longitude}`,
    (text) => {
      const [latitude, longitude] = checked(
        text, /^-?[\d.]+\s*,\s*-?[\d.]+$/, "a latitude, a comma and a longitude").split(",").map(Number);
      return { latitude, longitude };
    }],
  bytesValue: ["bytes", String, (text) => checked(text, /^[\w+/=-]*$/, "Base64")],
  arrayValue: ["array", ({ values = [] }) => pretty(values),
    (text) => ({ values: JSON.parse(text || "[]") })],
  mapValue: ["map", ({ fields = {} }) => pretty(fields),
    (text) => ({ fields: parseObject(text || "{}", "A map") })],
};

const hashOf = (path) => ["#/firestore", ...path.map(encodeURIComponent)].join("/");

export async function show({ root, project, path: first, signal, retitle }) {
  const base = `/v1/projects/${encodeURIComponent(project)}/databases/(default)/documents`;
  const urlOf = (path) => [base, ...path.map(encodeURIComponent)].join("/");
  const api = (method, url, body) => call(method, url,
    { body, admin: true, signal: method === "GET" ? signal : undefined });
  const crumbs = h("nav.actions", { "aria-label": "Path" });
  const columns = h("div.columns");
  root.append(crumbs, columns);
  /** The columns that are shown, by the path that they list. */
  let known = new Map();

  /** A column that reads page after page of ids: each is [id, note]. */
  function listing(title, path, read, ...more) {
    const list = h("ul.list");
    const trouble = h("div");
    let token = "";
    const next = button("More", () => load());
    const load = () => fill(trouble, async () => {
      const answer = await read(token);
      token = answer.token;
      next.hidden = !token;
      list.append(...answer.ids.map(([id, note]) => h("li", { "data-id": id },
        h("a", { href: hashOf([...path, id]) }, id, note && h("small", {}, note)))));
      return list.children.length ? [] : hint("Empty");
    });
    next.hidden = true;
    return { ready: load(), element: h("section.column.card", { "aria-label": title },
      heading(title), list, trouble, actions(next, more)) };
  }

  const collections = (path) => listing(
    path.length ? `Collections of ${path.at(-1)}` : "Collections", path, async (pageToken) => {
      const { collectionIds = [], nextPageToken } = await api("POST",
        `${urlOf(path)}:listCollectionIds`, { pageSize: 100, ...(pageToken && { pageToken }) });
      return { ids: collectionIds.map((id) => [id]), token: nextPageToken };
    }, button("New collection", () => create(path, true)),
    !path.length && dangerous("Delete all", `All documents of ${project} will be deleted.`, async () => {
      await call("DELETE", `/emulator${base}`, { admin: true });
      reload([]);
    }));

  const documents = (path) => listing(path.at(-1), path, async (pageToken) => {
    const query = new URLSearchParams(
      { pageSize: 50, showMissing: true, ...(pageToken && { pageToken }) });
    const { documents: found = [], nextPageToken } = await api("GET", `${urlOf(path)}?${query}`);
    return { token: nextPageToken, ids: found.map(({ name, createTime }) => [
      name.split("/").at(-1), !createTime && "only collections"]) };
  }, button("New document", () => create(path, false)));

  function create(path, isCollection) {
    const name = { required: true, pattern: "[^\\/]+" };
    const collection = input(name);
    const id = input({ ...name, required: false });
    dialog(isCollection ? "New collection" : "New document", [
      isCollection && field("Collection id", collection),
      field("Document id", id, "Generated if left empty")], "Create", async () => {
      const parent = isCollection ? [...path, collection.value] : path;
      const query = id.value ? `?documentId=${encodeURIComponent(id.value)}` : "";
      const made = await api("POST", urlOf(parent) + query, { fields: {} });
      reload([...parent, made.name.split("/").at(-1)]);
    });
  }

  /** Reads everything again, and shows a path. */
  function reload(path) {
    known = new Map();
    if (location.hash === hashOf(path)) return go(path);
    location.hash = hashOf(path);
  }

  async function go(path, moves = true) {
    retitle(path.join("/"));
    crumbs.replaceChildren(h("a", { href: hashOf([]) }, "root"), ...path.flatMap((id, index) => [
      "/", h("a", { href: hashOf(path.slice(0, index + 1)) }, id)]),
    button("Reload", () => reload(path)));
    const wanted = new Map();
    for (let length = 0; length <= path.length; length += 1) {
      const part = path.slice(0, length);
      const key = part.join("/");
      wanted.set(key, known.get(key) ?? (length % 2 ? documents(part) : collections(part)));
    }
    known = wanted;
    const shown = [...known.values()];
    const elements = shown.map(({ element }) => element);
    if (path.length && path.length % 2 === 0) elements.push(editor(path));
    columns.replaceChildren(...elements);
    await Promise.all(shown.map(({ ready }) => ready));
    shown.forEach(({ element }, index) => element.querySelectorAll("li").forEach((item) => {
      item.firstChild.ariaCurrent = item.dataset.id === path[index] ? "true" : null;
    }));
    if (moves) elements.at(-1).querySelector("h2").focus({ preventScroll: true });
    columns.scrollLeft = columns.scrollWidth;
  }

  function editor(path) {
    const place = h("div");
    const save = async (fields) => {
      draw(await api("PATCH", urlOf(path), { fields }));
      place.previousSibling.focus();
      say("Document saved.");
    };

    const draw = ({ fields = {}, createTime, updateTime }) => place.replaceChildren(
      createTime ? facts([["Created", time(createTime)], ["Updated", time(updateTime)]])
        : h("p.notice", {}, "This document does not exist yet. Saving will create it."),
      tabs("Editor", [["Fields", () => fieldForm(fields, save)], ["JSON", () => {
        const source = area(14, pretty(fields));
        return form(field("Fields", source, 'Such as {"name": {"stringValue": "Ann"}}'), "Save",
          () => save(parseObject(source.value, "Fields")));
      }]]),
      dangerous("Delete document", "The collections below it stay.", async () => {
        await api("DELETE", urlOf(path));
        reload(path.slice(0, -1));
      }));

    fill(place, async () => draw(await api("GET", urlOf(path)).catch((error) => {
      if (error.status !== 404 || error.unavailable) throw error;
      return {};
    })));
    return h("section.column.editor.card", { "aria-label": "Document" }, heading(path.at(-1)), place);
  }

  await go(first, false);
  return go;
}

/** A row for each field: its name, its type, its value. */
function fieldForm(fields, save) {
  const rows = h("div");
  const entries = new Map();
  const options = Object.entries(types).map(([key, [label]]) => [key, label]);

  function control(type, text) {
    const attributes = { "aria-label": "Value", hidden: type === "nullValue" };
    if (type === "booleanValue") return select([["true"], ["false"]], text, attributes);
    const isLong = /^(array|map)Value$/.test(type) || text.includes("\n");
    return h(isLong ? "textarea" : "input",
      { ...attributes, rows: isLong && 5, spellcheck: "false", value: text });
  }

  function add(name, [[type, value]]) {
    const label = input({ value: name, required: true, "aria-label": "Name" });
    // A type that this console does not know stays as it is.
    const kind = select(type in types ? options : [[type]], type, { "aria-label": "Type" });
    let content = control(type, type in types ? types[type][1](value) : pretty(value));
    const row = h("fieldset.row", {}, h("legend.unseen", {}, "Field"), label, kind, content,
      h("button", { type: "button", "aria-label": `Remove the field ${name}`, onclick: () => {
        row.remove();
        entries.delete(row);
      } }, "×"));
    kind.addEventListener("change", () => {
      const next = control(kind.value, content.value);
      content.replaceWith(next);
      content = next;
    });
    entries.set(row, () => {
      try {
        const read = types[kind.value]?.[2] ?? JSON.parse;
        return [label.value, { [kind.value]: read(content.value) }];
      } catch (error) {
        throw new Error(`${label.value}: ${error.message}`);
      }
    });
    rows.append(row);
    return label;
  }

  for (const [name, value] of Object.entries(fields)) add(name, Object.entries(value));
  return form(rows, "Save", () => {
    const made = [...entries.values()].map((entry) => entry());
    const names = made.map(([name]) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`There are two fields named ${twice}.`);
    return save(Object.fromEntries(made));
  }, "primary", button("Add field", () => add("", [["stringValue", ""]]).focus()));
}
