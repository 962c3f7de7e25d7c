// A database that waits for its first document, and what writes one.

import { emptyState, firstLines } from "../core/empty.js";
import { h, hint, icon } from "../core/ui.js";

export function emptyDatabase(project) {
  const { document, environment } = firstLines(project);
  return emptyState({
    mark: "firestore",
    title: "No documents yet",
    words: "Write a document in your app, choose New collection, or paste this:",
    waits: "Waiting for the first document",
    lines: (hosts) => [document, environment].map((line) => line(hosts)),
  });
}

/** Says what can be opened beside the list of a path. */
export const unopened = (db, path) =>
  h(
    "div.empty.unopened",
    {},
    icon("firestore"),
    hint(
      path.length
        ? "Choose a document to see and change its fields."
        : "Choose a collection to see its documents.",
    ),
    h(
      "p.actions",
      {},
      path.length > 0 &&
        h("a.button.slim", { href: db.link(path, { view: "table" }) }, "All as a table"),
      h("a.button.slim", { href: db.link(path, { view: "query" }) }, "Ask a query"),
    ),
  );
