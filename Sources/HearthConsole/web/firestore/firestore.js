// Collections and documents, side by side, and queries.

import { live, paced } from "../core/live.js";
import { arrange, render } from "../core/render.js";
import { button, h } from "../core/ui.js";
import { crumbs, databaseChoice, databasesOf, goTo } from "./bar.js";
import { collections, create, documents } from "./columns.js";
import { emptyDatabase } from "./empty.js";
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

export async function show({ root, project, path: first, params: asked, signal, hear, retitle }) {
  let db = store(project, asked.get("db") || "(default)", signal);
  const above = { crumbs: h("nav.crumbs", { "aria-label": "Path" }), chooser: h("div") };
  const columns = h("div.columns");
  const place = h("div");
  /** The columns that are shown, by the path that they list, and the document that is open. */
  let shown = new Map();
  let open = null;
  /** Reads the collection again that is shown as a table. */
  let readGrid = null;
  const databases = live(() => databasesOf(project, signal), { signal });
  root.append(h("div.bar", {}, above.crumbs, goTo((path) => db.link(path)), above.chooser), place);
  const drawChooser = () =>
    render(above.chooser, databaseChoice(db.database, databases.state.value ?? []));
  databases.subscribe(drawChooser);

  /** Reads everything again, and shows a path. */
  function reload(path) {
    shown = new Map();
    if (location.hash === db.link(path)) return go(path, new URLSearchParams());
    location.hash = db.link(path);
  }

  const empty = emptyDatabase(project);
  /** An empty list of collections beside a document takes room for nothing. */
  function layOut() {
    const list = [...shown.values()];
    const last = list.at(-1);
    const isIdle = open && last.isEmpty;
    const elements = (isIdle ? list.slice(0, -1) : list).map(({ element }) => element);
    if (open) elements.push(open.element);
    // Out of sight as soon as there is a collection.
    if (elements.length === 1) elements.push(empty);
    arrange(columns, elements);
  }

  async function goToPath(path, moves) {
    shown = columnsOf(db, path, shown, reload);
    open = path.length && path.length % 2 === 0
      ? documentColumn(
        db,
        path,
        () => reload(path.slice(0, -1)),
        button("New collection", () => create(db, path, true, reload), { class: "slim" }),
      )
      : null;
    arrange(place, [columns]);
    const mine = shown;
    const list = [...mine.values()];
    await Promise.all([...list.map(({ ready }) => ready), open?.ready]);
    // One has gone elsewhere by now.
    if (shown !== mine) return;
    layOut();
    list.forEach((column, index) => column.mark(path[index]));
    if (moves) columns.lastChild.querySelector("h2").focus({ preventScroll: true });
    columns.scrollLeft = columns.scrollWidth;
  }

  async function go(path, params = new URLSearchParams(), moves = true) {
    const database = params.get("db") || "(default)";
    if (database !== db.database) {
      db = store(project, database, signal);
      shown = new Map();
      drawChooser();
    }
    const view = params.get("view") ?? "";
    retitle([view === "query" && "Query", path.join("/")].filter(Boolean).join(" "));
    render(above.crumbs, crumbs(db, path, view, reload));
    open = readGrid = null;
    if (view === "query") return queryView({ db, path, params, place });
    if (view === "table" && path.length % 2) {
      readGrid = await gridView({ db, path, params, place });
    } else await goToPath(path, moves);
  }

  async function refresh() {
    if (document.hidden || signal.aborted) return;
    if (readGrid) return readGrid();
    if (!place.contains(columns)) return;
    const list = [...shown.values()];
    await Promise.all([open?.refresh(), ...list.map((column) => column.refresh())]);
    if (place.contains(columns) && list.at(-1) === [...shown.values()].at(-1)) layOut();
  }
  const soon = paced(refresh, 500);
  hear((event, data) => {
    if (/^(poll|sync)/.test(event) || (event === "request" && mayWrite(data))) soon();
  });
  // Streams write without a request of their own for each write.
  const timer = setInterval(soon, 2000);
  signal.addEventListener("abort", () => clearInterval(timer));
  databases.ask();
  await go(first, asked, false);
  return go;
}
