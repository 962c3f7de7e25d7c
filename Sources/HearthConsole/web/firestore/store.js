// Calls to Firestore as an administrator, for one database.

import { call, own } from "../core/api.js";
import { undoable } from "../core/undo.js";
import { linkTo } from "../core/routes.js";

/** What the calls of a view have in common. */
export function store(project, database, signal) {
  const root = `projects/${project}/databases/${database}/documents`;
  const base = `/v1/projects/${encodeURIComponent(project)}/databases/${
    encodeURIComponent(database)
  }/documents`;
  const urlOf = (path) => [base, ...path.map(encodeURIComponent)].join("/");
  const api = (method, url, body) =>
    call(method, url, { body, admin: true, signal: method === "GET" ? signal : undefined });
  return {
    project,
    database,
    signal,
    root,
    urlOf,
    /** The link to a path of this database. */
    link: (path, more) =>
      linkTo("firestore", path, { db: database === "(default)" ? "" : database, ...more }),
    /** A document, or as it was at a time. */
    get: (path, readTime) =>
      api("GET", urlOf(path) + (readTime ? `?${new URLSearchParams({ readTime })}` : "")),
    /** Writes the paths, and nothing else; only where the document is still that of `updateTime`. */
    patch: (path, fields, paths, updateTime) =>
      api(
        "PATCH",
        `${urlOf(path)}?${new URLSearchParams([
          ...paths.map((one) => ["updateMask.fieldPaths", one]),
          updateTime
            ? ["currentDocument.updateTime", updateTime]
            : ["currentDocument.exists", "false"],
        ])}`,
        { fields },
      ),
    create: (path, id, fields) =>
      api("POST", urlOf(path) + (id ? `?documentId=${encodeURIComponent(id)}` : ""), { fields }),
    remove: (path, updateTime) =>
      api(
        "DELETE",
        urlOf(path) +
          (updateTime
            ? `?${new URLSearchParams({ "currentDocument.updateTime": updateTime })}`
            : ""),
      ),
    /** Deletes what is at the path, and all below it; answers what brings it back. */
    removeTree: (path) =>
      undoable(project, "delete-documents", () => api("DELETE", `/emulator${urlOf(path)}`)),
    collections: (path, pageToken) =>
      api("POST", `${urlOf(path)}:listCollectionIds`, {
        pageSize: 100,
        ...(pageToken && { pageToken }),
      }),
    documents: (path, pageSize, pageToken) =>
      api(
        "GET",
        `${urlOf(path)}?${new URLSearchParams({
          pageSize,
          showMissing: true,
          "mask.fieldPaths": "__name__",
          ...(pageToken && { pageToken }),
        })}`,
      ),
    query: (parent, structuredQuery) =>
      api("POST", `${urlOf(parent)}:runQuery`, { structuredQuery }),
    explain: (parent, structuredQuery) =>
      api("POST", `${urlOf(parent)}:runQuery`, {
        structuredQuery,
        explainOptions: { analyze: true },
      }),
    count: (parent, structuredQuery) =>
      api("POST", `${urlOf(parent)}:runAggregationQuery`, {
        structuredAggregationQuery: { structuredQuery, aggregations: [{ alias: "n", count: {} }] },
      }),
    own: (rest) => own(project, `databases/${encodeURIComponent(database)}${rest}`),
  };
}

/** The path below the database of a full name of a document. */
export const pathOf = (name) => name.split("/documents/").slice(1).join("/documents/").split("/");
