// What is above the columns: the path that is shown, a way to another one, and the databases.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { button, dialog, field, h, input, select } from "../core/ui.js";

/** The path that is shown, each part of it a link, and the other ways to look at it. */
export const crumbs = (db, path, view, reload) => {
  const collection = path.slice(0, path.length - (path.length % 2 ? 0 : 1));
  const to = (name, words) =>
    h("a.button.slim", { href: db.link(collection, { view: name }) }, words);
  return [
    h("a", { href: db.link([]) }, db.database === "(default)" ? "root" : db.database),
    path.map((id, index) => [
      "/",
      h("a", { href: db.link(path.slice(0, index + 1)), title: id }, id),
    ]),
    " ",
    view && to("", view === "query" ? "Back to the data" : "Columns"),
    view !== "table" && collection.length > 0 && to("table", "Table"),
    view !== "query" && to("query", "Query"),
    button("Reload", () => reload(path), { class: "slim" }),
  ];
};

/** A field for a path, short or whole. */
export function goTo(link) {
  const path = input({
    type: "search",
    placeholder: "Go to users/ann",
    "aria-label": "Go to a path",
  });
  return h("form.goto", {
    onsubmit: (event) => {
      event.preventDefault();
      const parts = path.value.replace(/^.*\/documents\//, "").split("/").filter(Boolean);
      if (parts.length) location.hash = link(parts);
      path.value = "";
    },
  }, path);
}

const show = (name) => {
  location.hash = linkTo("firestore", [], { db: name === "(default)" ? "" : name });
};

function another() {
  const name = input({ required: true, pattern: "[a-z][a-z0-9\\-]{2,62}" });
  dialog(
    "Another database",
    field("Database id", name, "Lower-case letters, digits and hyphens"),
    "Show",
    () => show(name.value),
  );
}

/** Which database is shown, and the others. */
export function databaseChoice(current, known) {
  const names = [...new Set(["(default)", ...known, current])];
  return field(
    "Database",
    select([...names.map((name) => [name]), ["", "Another…"]], current, {
      onchange: ({ currentTarget: control }) => {
        if (control.value) return show(control.value);
        control.value = current;
        another();
      },
    }),
  );
}

export const databasesOf = async (project, signal) => {
  const { databases = [] } = await call("GET", own(project, "databases"), { signal })
    .catch(() => ({}));
  return databases.map(({ id, name }) => id ?? name);
};
