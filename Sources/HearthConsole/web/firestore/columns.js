// A column of ids: the collections below a document, or the documents of a collection.

import { live } from "../core/live.js";
import { render } from "../core/render.js";
import {
  actions,
  button,
  dangerous,
  dialog,
  field,
  h,
  heading,
  hint,
  input,
  problem,
  say,
} from "../core/ui.js";
import { transferButtons } from "./transfer.js";

const pageSize = 50;
const largestPage = 100;

/** So many ids, in pages: the server has a largest one. */
async function several(read, wanted) {
  const ids = [];
  let token = "";
  do {
    const page = await read(token, Math.min(largestPage, wanted - ids.length));
    ids.push(...page.ids);
    ({ token } = page);
  } while (token && ids.length < wanted);
  return { ids, token };
}

const item = (db, path, [id, note], { chosen, fresh }) =>
  h(
    "li",
    { key: id, "data-id": id, class: fresh.has(id) ? "changed" : "" },
    h(
      "a",
      {
        href: db.link([...path, id]),
        "data-row": "",
        title: id,
        "aria-current": id === chosen && "true",
      },
      h("span.id", {}, id),
      note && h("small", {}, note),
    ),
  );

/** The ids; the chosen one is among them, wherever it is in the order. */
function idList(db, path, view) {
  const { ids, chosen, token } = view;
  const isApart = chosen !== undefined && !ids.some(([id]) => id === chosen);
  const apart = isApart && [chosen, token ? "further down" : "not in the list"];
  return h(
    "ul.list",
    { key: "list" },
    apart && item(db, path, apart, view),
    ids.map((one) => item(db, path, one, view)),
  );
}

/** A column that reads more and more ids: each is [id, note]. */
function listing(db, title, path, read, ...more) {
  const element = h("section.column.card", { "aria-label": title });
  const head = heading(title);
  let chosen;
  let wanted = pageSize;
  let known = null;
  let fresh = new Set();
  const list = live(() => several(read, wanted), { signal: db.signal });

  function draw({ value, error } = list.state) {
    const { ids = [], token } = value ?? {};
    if (value) {
      if (known) fresh = new Set(ids.map(([id]) => id).filter((id) => !known.has(id)));
      known = new Set(ids.map(([id]) => id));
    }
    render(element, [
      head,
      idList(db, path, { ids, chosen, token, fresh }),
      error && problem(error),
      value && !ids.length && hint("Empty"),
      actions(token && button("More", loadMore), more),
    ]);
  }

  function loadMore() {
    wanted += pageSize;
    // What comes by a click is not news.
    known = null;
    return list.refresh();
  }
  let shown = "";
  list.subscribe((state) => {
    const text = JSON.stringify([state.value, state.error?.message]);
    if (text !== shown) draw(state);
    shown = text;
  });
  return {
    ready: list.ask(),
    element,
    get isEmpty() {
      return list.state.value?.ids.length === 0;
    },
    mark(id) {
      chosen = id;
      draw();
      element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    },
    refresh: list.refresh,
  };
}

/** Asks for the name of a new document, or of a new collection with its first one. */
export function create(db, path, isCollection, reload) {
  const name = { required: true, pattern: "[^\\/]+" };
  const collection = input(name);
  const id = input({ ...name, required: false });
  dialog(
    isCollection ? "New collection" : "New document",
    [
      isCollection && field("Collection id", collection),
      field("Document id", id, "Generated if left empty"),
    ],
    "Create",
    async () => {
      const parent = isCollection ? [...path, collection.value] : path;
      const made = await db.create(parent, id.value, {});
      reload([...parent, made.name.split("/").at(-1)]);
    },
  );
}

export const collections = (db, path, reload) =>
  listing(
    db,
    "Collections",
    path,
    async (pageToken) => {
      const { collectionIds = [], nextPageToken } = await db.collections(path, pageToken);
      return { ids: collectionIds.map((id) => [id]), token: nextPageToken };
    },
    button("New collection", () => create(db, path, true, reload)),
    !path.length &&
      dangerous(
        "Delete all",
        `All documents of ${db.database} in ${db.project} will be deleted.`,
        async () => {
          const undo = await db.removeTree([]);
          reload([]);
          say("All documents deleted.", undo);
        },
      ),
  );

export const documents = (db, path, reload) =>
  listing(
    db,
    path.at(-1),
    path,
    async (pageToken, size) => {
      const { documents: found = [], nextPageToken } = await db.documents(path, size, pageToken);
      return {
        token: nextPageToken,
        ids: found.map(({ name, createTime }) => [
          name.split("/").at(-1),
          !createTime && "only collections",
        ]),
      };
    },
    button("New document", () => create(db, path, false, reload)),
    h("a.button", { href: db.link(path, { view: "query" }) }, "Query"),
    transferButtons(db, path, reload),
    dangerous(
      "Delete collection",
      `All documents of ${path.join("/")}, and all below them, will be deleted.`,
      async () => {
        const undo = await db.removeTree(path);
        reload(path.slice(0, -1));
        say("Collection deleted.", undo);
      },
    ),
  );
