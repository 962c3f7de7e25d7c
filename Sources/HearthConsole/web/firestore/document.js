// One document: its fields as a tree and as JSON, kept up to date while it is shown.

import {
  actions, area, button, copyButton, dangerous, facts, field, fill, form, h, heading, parseObject,
  pretty, say, tabs, time,
} from "../core/ui.js";
import { fieldForm } from "./tree.js";
import { fromPlain, plain, sorted } from "./values.js";

/** The names of the fields that differ. */
function differences(before, after) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** Takes fields typed as on the wire, or as plain JSON. */
function fieldsOf(object) {
  const isWire = Object.values(object).every((value) => value && typeof value === "object" &&
    Object.keys(value).length === 1 && /Value$/.test(Object.keys(value)[0]));
  return isWire ? object : fromPlain(object).mapValue.fields;
}

/** The column of a document; `refresh()` reads it again, and `left()` is called when it is deleted. */
export function documentColumn(db, path, left) {
  const place = h("div");
  const note = h("div", { role: "status" });
  let known = null;
  let isDirty = false;
  let tab = "Fields";

  const save = async (fields) => {
    show(await db.put(path, fields));
    element.querySelector("h2").focus();
    say("Document saved.");
  };

  function show(document) {
    const before = known?.fields;
    known = document;
    isDirty = false;
    note.replaceChildren();
    const fields = sorted(document.fields ?? {});
    const touch = () => { isDirty = true; };
    place.replaceChildren(
      document.createTime ? facts([
        ["Created", time(document.createTime)],
        ["Updated", time(document.updateTime)]
      ]) :
      h("p.notice", {}, "This document does not exist yet. Saving will create it."),
      tabs("Editor", [
        ["Fields", () => fieldForm(fields, save, touch, db.root)],
        ["JSON", () => {
          const source = area(14, pretty(fields));
          source.addEventListener("input", touch);
          return form(field("Fields", source,
              'Typed as {"name": {"stringValue": "Ann"}}, or plain as {"name": "Ann"}'),
            "Save",
            () => save(fieldsOf(parseObject(source.value, "Fields"))), "primary",
            copyButton("Copy as plain JSON", () => pretty(plain({ mapValue: { fields } }))));
        }]
      ], tab, (name) => { tab = name; }),
      actions(copyButton("Copy path", path.join("/")), dangerous("Delete document",
        "The collections below it stay.", async () => {
          await db.remove(path);
          left();
        }), dangerous("Delete with subcollections",
        "The document and all documents below it will be deleted.", async () => {
          await db.removeTree(path);
          left();
        })));
    if (before) setTimeout(() => mark(differences(before, document.fields ?? {})));
  }

  /** Marks fields that have changed, once they are drawn. */
  function mark(names) {
    for (const name of names) place.querySelector(`.row[data-path="${CSS.escape(name)}"]`)
      ?.classList.add("changed");
  }

  const read = async () => db.get(path).catch((error) => {
    if (error.status !== 404 || error.unavailable) throw error;
    return {};
  });

  async function refresh() {
    if (!known) return;
    const fresh = await read();
    if (fresh.updateTime === known.updateTime) return;
    if (!isDirty) return show(fresh);
    note.replaceChildren(h("p.notice.warn", {}, "The document has changed on the server. ",
      button("Show the new one", () => show(fresh), { class: "link" })));
  }

  const element = h("section.column.editor.card", { "aria-label": "Document" }, heading(path.at(-
    1)), note, place);
  const ready = fill(place, async () => { show(await read()); });
  return { element, ready, refresh: () => refresh().catch(() => {}) };
}
