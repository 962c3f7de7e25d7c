// The collections and fields that a project has, for those who write rules about them.

import { store } from "../firestore/store.js";

const most = 20;

/** The names in the first documents of each collection of the root. */
export async function readNames(project, signal) {
  const db = store(project, "(default)", signal);
  const { collectionIds = [] } = await db.collections([], "");
  const answers = await Promise.all(
    collectionIds.slice(0, most).map((collectionId) =>
      db.query([], { from: [{ collectionId }], limit: 5 })
    ),
  );
  const fields = answers.flat().flatMap(({ document }) => Object.keys(document?.fields ?? {}));
  return { collections: collectionIds, fields: [...new Set(fields)].sort() };
}
