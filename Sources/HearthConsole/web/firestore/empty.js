// A database that waits for its first document, and what writes one.

import { emptyState, firstLines } from "../core/empty.js";

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
