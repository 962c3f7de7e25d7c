// Writes of one document, each with what takes it back.

import { changes } from "./changes.js";

const isOvertaken = ({ statusName }) =>
  /FAILED_PRECONDITION|ABORTED|NOT_FOUND|ALREADY_EXISTS/.test(statusName);

/** What takes a write back must not take away what others wrote since. */
const unlessOvertaken = (work) => async () => {
  try {
    await work();
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    throw new Error("Not undone: the document has changed since.");
  }
};

/**
 * Writes what differs between `known` and the fields over `target`, the document of the server. The
 * paths in `given` keep the server's values.
 */
export async function saveDocument(db, path, { known, target, fields, given }) {
  const paths = changes(known.fields ?? {}, fields).map((one) => one.path)
    .filter((one) => !given.includes(one));
  if (target.updateTime && !paths.length) {
    return { document: target, words: "Document saved. Nothing had changed." };
  }
  let document;
  try {
    document = await db.patch(path, fields, target.updateTime ? paths : [], target.updateTime);
  } catch (error) {
    if (isOvertaken(error)) return { isOvertaken: true };
    throw error;
  }
  const undo = unlessOvertaken(() =>
    target.updateTime
      ? db.patch(path, target.fields ?? {}, paths, document.updateTime)
      : db.remove(path, document.updateTime)
  );
  return { document, words: "Document saved.", undo };
}

/** Deletes a document; answers what brings it back, unless there is another by then. */
export async function deleteDocument(db, path, before) {
  await db.remove(path);
  return before.updateTime && unlessOvertaken(() => db.patch(path, before.fields ?? {}, []));
}
