// Calls to Firestore as an administrator, for one database.

import { call, own } from "../core/api.js";
import { undoable } from "../core/undo.js";
import { linkTo } from "../core/routes.js";

const explained = { explainOptions: { analyze: true } };
const counting = (structuredQuery) => ({
  structuredAggregationQuery: { structuredQuery, aggregations: [{ alias: "n", count: {} }] },
});
const parameters = (values) => new URLSearchParams(values);

/** The calls for documents and collections; `api(method, rest of the address, body)`. */
const documentCalls = (api) => ({
  /** A document, or as it was at a time. */
  get: (path, readTime) => api("GET", path, readTime ? `?${parameters({ readTime })}` : ""),
  /** Writes the paths, and nothing else; only where the document is still that of `updateTime`. */
  patch: (path, fields, paths, updateTime) => {
    const precondition = updateTime
      ? ["currentDocument.updateTime", updateTime]
      : ["currentDocument.exists", "false"];
    const mask = paths.map((one) => ["updateMask.fieldPaths", one]);
    return api("PATCH", path, `?${parameters([...mask, precondition])}`, { fields });
  },
  create: (path, id, fields) =>
    api("POST", path, id ? `?documentId=${encodeURIComponent(id)}` : "", { fields }),
  remove: (path, updateTime) =>
    api(
      "DELETE",
      path,
      updateTime ? `?${parameters({ "currentDocument.updateTime": updateTime })}` : "",
    ),
  collections: (path, pageToken) =>
    api("POST", path, ":listCollectionIds", { pageSize: 100, ...(pageToken && { pageToken }) }),
  documents: (path, pageSize, pageToken) => {
    const wanted = { pageSize, showMissing: true, "mask.fieldPaths": "__name__" };
    return api("GET", path, `?${parameters({ ...wanted, ...(pageToken && { pageToken }) })}`);
  },
  query: (parent, structuredQuery) => api("POST", parent, ":runQuery", { structuredQuery }),
  explain: (parent, structuredQuery) =>
    api("POST", parent, ":runQuery", { structuredQuery, ...explained }),
  count: (parent, structuredQuery) =>
    api("POST", parent, ":runAggregationQuery", counting(structuredQuery)),
});

/** What the calls of a view have in common. */
export function store(project, database, signal) {
  const names = [project, database].map(encodeURIComponent);
  const base = `/v1/projects/${names[0]}/databases/${names[1]}/documents`;
  const urlOf = (path) => [base, ...path.map(encodeURIComponent)].join("/");
  const ask = (method, url, body) =>
    call(method, url, { body, admin: true, signal: method === "GET" ? signal : undefined });
  return {
    project,
    database,
    signal,
    root: `projects/${project}/databases/${database}/documents`,
    urlOf,
    /** The link to a path of this database. */
    link: (path, more) =>
      linkTo("firestore", path, { db: database === "(default)" ? "" : database, ...more }),
    ...documentCalls((method, path, rest, body) => ask(method, urlOf(path) + rest, body)),
    /** Deletes what is at the path, and all below it; answers what brings it back. */
    removeTree: (path) =>
      undoable(project, "delete-documents", () => ask("DELETE", `/emulator${urlOf(path)}`)),
    own: (rest) => own(project, `databases/${names[1]}${rest}`),
  };
}

/** The path below the database of a full name of a document. */
export const pathOf = (name) => name.split("/documents/").slice(1).join("/documents/").split("/");
