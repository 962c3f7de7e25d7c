// Collections and documents, side by side, and queries.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { button, dialog, field, h, input, select } from "../core/ui.js";
import { collections, documents } from "./columns.js";
import { documentColumn } from "./document.js";
import { queryView } from "./query.js";
import { store } from "./store.js";

const isFirestore = /^(firestore|emulator\.firestore)\./;

export async function show({ root, project, path: first, params: asked, signal, hear, retitle }) {
  let db = store(project, asked.get("db") || "(default)", signal);
  const crumbs = h("nav.crumbs", { "aria-label": "Path" });
  const chooser = h("div");
  const goTo = input({ type: "search",
  placeholder: "Go to a path, such as users/ann", "aria-label": "Go to a path" });
  const columns = h("div.columns");
  const place = h("div");
  /** The columns that are shown, by the path that they list. */
  let known = new Map();
  let open = null;

  root.append(h("div.bar", {}, crumbs, h("form.goto", {
    onsubmit: (event) => {
      event.preventDefault();
      const path = goTo.value.replace(/^.*\/documents\//, "").split("/").filter(
      Boolean);
      if (path.length) location.hash = db.link(path);
      goTo.value = "";
    }
  }, goTo), chooser), place);

  /** Reads everything again, and shows a path. */
  function reload(path) {
    known = new Map();
    if (location.hash === db.link(path)) return go(path, new URLSearchParams());
    location.hash = db.link(path);
  }

  async function readDatabases() {
    const { databases = [] } = await call("GET", own(project, "databases"), { signal }).catch(
    () => ({}));
    const names = [...new Set(["(default)", ...databases.map(({ id, name }) => id ?? name), db
      .database
    ])];
    const control = select([...names.map((name) => [name]), ["", "Another…"]], db.database, {
      onchange: () => {
        const choose = (name) => { location.hash = linkTo("firestore", [], { db: name ===
              "(default)" ? "" : name }); };
        if (control.value) return choose(control.value);
        control.value = db.database;
        const name = input({ required: true, pattern: "[a-z][a-z0-9\\-]{2,62}" });
        dialog("Another database", field("Database id", name,
          "Lower-case letters, digits and hyphens"), "Show", () => choose(name.value));
      }
    });
    chooser.replaceChildren(field("Database", control));
  }

  function drawPath(path, isQuery) {
    crumbs.replaceChildren(h("a", { href: db.link([]) }, db.database === "(default)" ? "root" : db
        .database),
      ...path.flatMap((id, index) => ["/", h("a", { href: db.link(path.slice(0, index + 1)),
        title: id }, id)]), " ",
      h("a.button.slim", {
        href: db.link(path.slice(0, path.length - (path.length % 2 ? 0 :
        1)), { view: isQuery ? "" : "query" })
      }, isQuery ? "Back to the data" : "Query"),
      button("Reload", () => reload(path), { class: "slim" }));
  }

  async function go(path, params = new URLSearchParams(), moves = true) {
    const database = params.get("db") || "(default)";
    if (database !== db.database) {
      db = store(project, database, signal);
      known = new Map();
      readDatabases();
    }
    const isQuery = params.get("view") === "query";
    retitle([isQuery && "Query", path.join("/")].filter(Boolean).join(" "));
    drawPath(path, isQuery);
    open = null;
    if (isQuery) return queryView({ db, path, params, place, signal });
    place.replaceChildren(columns);
    const wanted = new Map();
    for (let length = 0; length <= path.length; length += 1) {
      const part = path.slice(0, length);
      const key = part.join("/");
      wanted.set(key, known.get(key) ?? (length % 2 ? documents : collections)(db, part,
        reload));
    }
    known = wanted;
    const shown = [...known.values()];
    const elements = shown.map(({ element }) => element);
    if (path.length && path.length % 2 === 0) {
      open = documentColumn(db, path, () => reload(path.slice(0, -1)));
      elements.push(open.element);
    }
    columns.replaceChildren(...elements);
    await Promise.all([...shown.map(({ ready }) => ready), open?.ready]);
    shown.forEach((column, index) => column.mark(path[index]));
    if (moves) elements.at(-1).querySelector("h2").focus({ preventScroll: true });
    columns.scrollLeft = columns.scrollWidth;
  }

  let isReading = false;
  async function refresh() {
    if (isReading || document.hidden || signal.aborted || !place.contains(columns)) return;
    isReading = true;
    await Promise.all([open?.refresh(), ...[...known.values()].map((column) => column
    .refresh())]);
    isReading = false;
  }
  hear((event, data) => {
    if (/^(poll|sync)/.test(event) || (event === "request" && isFirestore.test(data
        .operation))) refresh();
  });
  // Streams write without a request of their own for each write.
  const timer = setInterval(refresh, 2000);
  signal.addEventListener("abort", () => clearInterval(timer));
  readDatabases();
  await go(first, asked, false);
  return go;
}
