// Collections and documents, side by side, and queries.

import { live, paced } from "../core/live.js";
import { arrange, render } from "../core/render.js";
import { button, h } from "../core/ui.js";
import { crumbs, databaseChoice, databasesOf, goTo } from "./bar.js";
import { collections, create, documents } from "./columns.js";
import { emptyDatabase, unopened } from "./empty.js";
import { documentColumn } from "./document.js";
import { gridView } from "./grid.js";
import { queryView } from "./query.js";
import { store } from "./store.js";

/** Whether a request may have changed documents. */
const mayWrite = ({ operation = "", status }) =>
  /^(firestore|emulator\.firestore)\./.test(operation) &&
  status < 400 && !/(\.get|[lL]ist\w*|Query|batchGet|listen|beginTransaction|rollback)$/.test(
    operation,
  );

/** The columns of a path: known ones as they are, and new ones. */
function columnsOf(db, path, known, reload) {
  const columns = new Map();
  for (let length = 0; length <= path.length; length += 1) {
    const part = path.slice(0, length);
    const key = part.join("/");
    const make = length % 2 ? documents : collections;
    columns.set(key, known.get(key) ?? make(db, part, reload));
  }
  return columns;
}

class FirestoreView {
  crumbs = h("nav.crumbs", { "aria-label": "Path" });
  chooser = h("div");
  columns = h("div.columns");
  place = h("div");
  /** The columns that are shown, by the path that they list, and the document that is open. */
  shown = new Map();
  opened = null;
  /** What is said where no document is open. */
  beside = null;
  /** Reads the collection again that is shown as a table. */
  readGrid = null;

  constructor({ root, project, params, signal, retitle }) {
    Object.assign(this, { project, signal, retitle, empty: emptyDatabase(project) });
    this.db = store(project, params.get("db") || "(default)", signal);
    this.databases = live(() => databasesOf(project, signal), { signal });
    const way = goTo((path) => this.db.link(path));
    root.append(h("div.bar", {}, this.crumbs, way, this.chooser), this.place);
    this.databases.subscribe(() => this.drawChooser());
  }

  drawChooser() {
    render(this.chooser, databaseChoice(this.db.database, this.databases.state.value ?? []));
  }

  /** Reads everything again, and shows a path. */
  reload = (path) => {
    this.shown = new Map();
    const link = this.db.link(path);
    if (location.hash === link) return this.go(path, new URLSearchParams());
    location.hash = link;
  };

  /** An empty list of collections beside a document takes room for nothing. */
  layOut() {
    const list = [...this.shown.values()];
    const isIdle = this.opened && list.at(-1).isEmpty;
    const elements = (isIdle ? list.slice(0, -1) : list).map(({ element }) => element);
    if (this.opened) elements.push(this.opened.element);
    // Out of sight as soon as there is a collection.
    if (elements.length === 1) elements.push(this.empty);
    if (this.beside) elements.push(this.beside);
    arrange(this.columns, elements);
  }

  documentAt(path) {
    const { db, reload } = this;
    const more = () => create(db, path, true, reload);
    return documentColumn(
      db,
      path,
      () => reload(path.slice(0, -1)),
      button("New collection", more),
    );
  }

  async goToPath(path, moves) {
    const mine = this.shown = columnsOf(this.db, path, this.shown, this.reload);
    this.opened = path.length && path.length % 2 === 0 ? this.documentAt(path) : null;
    this.beside = this.opened ? null : unopened(this.db, path);
    arrange(this.place, [this.columns]);
    const list = [...mine.values()];
    await Promise.all([...list.map(({ ready }) => ready), this.opened?.ready]);
    // One has gone elsewhere by now.
    if (this.shown !== mine) return;
    this.layOut();
    list.forEach((column, index) => column.mark(path[index]));
    const { columns } = this;
    const { element } = this.opened ?? list.at(-1);
    if (moves) element.querySelector("h2").focus({ preventScroll: true });
    columns.scrollLeft = columns.scrollWidth;
  }

  go = async (path, params = new URLSearchParams(), moves = true) => {
    const database = params.get("db") || "(default)";
    if (database !== this.db.database) {
      this.db = store(this.project, database, this.signal);
      this.shown = new Map();
      this.drawChooser();
    }
    const { db, place } = this;
    const view = params.get("view") ?? "";
    this.retitle([view === "query" && "Query", path.join("/")].filter(Boolean).join(" "));
    render(this.crumbs, crumbs(db, path, view, this.reload));
    this.opened = this.readGrid = null;
    if (view === "query") return queryView({ db, path, params, place });
    if (view === "table" && path.length % 2) {
      this.readGrid = await gridView({ db, path, params, place });
    } else await this.goToPath(path, moves);
  };

  async refresh() {
    const { place, columns } = this;
    if (document.hidden || this.signal.aborted) return;
    if (this.readGrid) return this.readGrid();
    if (!place.contains(columns)) return;
    const list = [...this.shown.values()];
    await Promise.all([this.opened?.refresh(), ...list.map((column) => column.refresh())]);
    const isSame = list.at(-1) === [...this.shown.values()].at(-1);
    if (place.contains(columns) && isSame) this.layOut();
  }
}

export async function show(context) {
  const { path, params, signal, hear } = context;
  const view = new FirestoreView(context);
  const soon = paced(() => view.refresh(), 500);
  hear((event, data) => {
    if (/^(poll|sync)/.test(event) || (event === "request" && mayWrite(data))) soon();
  });
  // Streams write without a request of their own for each write.
  const timer = setInterval(soon, 2000);
  signal.addEventListener("abort", () => clearInterval(timer));
  view.databases.ask();
  await view.go(path, params, false);
  return view.go;
}
