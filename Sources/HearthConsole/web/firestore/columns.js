// A column of ids: the collections below a document, or the documents of a collection.

import {
  actions, button, dangerous, dialog, field, fill, h, heading, hint, input,
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

/** A column that reads page after page of ids: each is [id, note]. */
function listing(db, title, path, read, label, ...more) {
  const list = h("ul.list");
  const trouble = h("div");
  let token = "";
  let ids = [];
  let reads = Promise.resolve();
  /** One read after the other: each goes on from what the one before has shown. */
  const inTurn = (work) => {
    reads = reads.then(work, work);
    return reads;
  };
  const next = button("More", () => load());
  const item = ([id, note], isNew) => h("li", { "data-id": id, class: isNew && "changed" },
    h("a", { href: db.link([...path, id]), "data-row": "", title: id }, h("span.id", {}, id),
      note && h("small", {}, note)));
  const load = () => inTurn(() => fill(trouble, async () => {
    const answer = await read(token, pageSize);
    token = answer.token;
    next.hidden = !token;
    ids.push(...answer.ids);
    list.append(...answer.ids.map((one) => item(one)));
    return list.children.length ? [] : hint("Empty");
  }));
  const mark = (chosen) => {
    for (const row of list.children) row.firstChild.ariaCurrent = row.dataset.id === chosen ?
      "true" : null;
  };
  next.hidden = true;
  return {
    ready: load(),
    element: h("section.column.card", { "aria-label": title }, heading(title), list, trouble,
      actions(next, more)),
    mark,
    /** Reads again what is shown; ids that are new are marked. */
    refresh: () => inTurn(async () => {
      const answer = await several(read, Math.max(pageSize, ids.length)).catch(() => null);
      if (!answer || JSON.stringify(answer.ids) === JSON.stringify(ids)) return;
      const before = new Set(ids.map(([id]) => id));
      const chosen = list.querySelector("[aria-current]")?.closest("li").dataset.id;
      const focused = list.contains(document.activeElement) && document.activeElement.closest(
        "li").dataset.id;
      ({ ids, token } = answer);
      next.hidden = !token;
      list.replaceChildren(...ids.map((one) => item(one, !before.has(one[0]))));
      trouble.replaceChildren(...(ids.length ? [] : [hint("Empty")]));
      mark(chosen);
      if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"] a`)?.focus();
    }),
  };
}

function create(db, path, isCollection, reload) {
  const name = { required: true, pattern: "[^\\/]+" };
  const collection = input(name);
  const id = input({ ...name, required: false });
  dialog(isCollection ? "New collection" : "New document", [
    isCollection && field("Collection id", collection),
    field("Document id", id, "Generated if left empty")
  ], "Create", async () => {
    const parent = isCollection ? [...path, collection.value] : path;
    const made = await db.create(parent, id.value, {});
    reload([...parent, made.name.split("/").at(-1)]);
  });
}

export const collections = (db, path, reload) => listing(
  db, path.length ? `Collections of ${path.at(-1)}` : "Collections", path, async (pageToken) => {
      const { collectionIds = [], nextPageToken } = await db.collections(path, pageToken);
      return { ids: collectionIds.map((id) => [id]), token: nextPageToken };
    }, "collections", button("New collection", () => create(db, path, true, reload)),
    !path.length && dangerous("Delete all",
      `All documents of ${db.database} in ${db.project} will be deleted.`, async () => {
        await db.removeTree([]);
        reload([]);
      }));

export const documents = (db, path, reload) => listing(db, path.at(-1), path, async (pageToken,
    size) => {
    const { documents: found = [], nextPageToken } = await db.documents(path, size, pageToken);
    return {
      token: nextPageToken,
      ids: found.map(({ name, createTime }) => [
        name.split("/").at(-1), !createTime && "only collections"
      ])
    };
  }, "documents", button("New document", () => create(db, path, false, reload)),
  h("a.button", { href: db.link(path, { view: "query" }) }, "Query"),
  transferButtons(db, path, reload),
  dangerous("Delete collection",
    `All documents of ${path.join("/")}, and all below them, will be deleted.`, async () => {
      await db.removeTree(path);
      reload(path.slice(0, -1));
    }));
