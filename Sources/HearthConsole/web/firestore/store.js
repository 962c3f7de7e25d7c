// Calls to Firestore as an administrator, for one database.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";

/** What the calls of a view have in common. */
export function store(project, database, signal) {
  const root = `projects/${project}/databases/${database}/documents`;
  const base =
    `/v1/projects/${encodeURIComponent(project)}/databases/${encodeURIComponent(database)}/documents`;
  const urlOf = (path) => [base, ...path.map(encodeURIComponent)].join("/");
  const api = (method, url, body) => call(method, url, { body, admin: true, signal: method ===
      "GET" ? signal : undefined });
  return {
    project,
    database,
    root,
    urlOf,
    /** The link to a path of this database. */
    link: (path, more) => linkTo("firestore", path, { db: database === "(default)" ? "" : database,
      ...more }),
    get: (path) => api("GET", urlOf(path)),
    /** Creates or replaces a document. */
    put: (path, fields) => api("PATCH", urlOf(path), { fields }),
    create: (path, id, fields) => api("POST",
      urlOf(path) + (id ? `?documentId=${encodeURIComponent(id)}` : ""), { fields }),
    remove: (path) => api("DELETE", urlOf(path)),
    /** Deletes what is at the path, and all below it. */
    removeTree: (path) => api("DELETE", `/emulator${urlOf(path)}`),
    collections: (path, pageToken) => api("POST",
    `${urlOf(path)}:listCollectionIds`, { pageSize: 100, ...(pageToken && { pageToken }) }),
    documents: (path, pageSize, pageToken) => api("GET",
      `${urlOf(path)}?${new URLSearchParams(
      { pageSize, showMissing: true, "mask.fieldPaths": "__name__", ...(pageToken && { pageToken }) })}`),
    query: (parent, structuredQuery) => api("POST",
      `${urlOf(parent)}:runQuery`, { structuredQuery }),
    explain: (parent, structuredQuery) => api("POST",
      `${urlOf(parent)}:runQuery`, { structuredQuery, explainOptions: { analyze: true } }),
    count: (parent, structuredQuery) => api("POST", `${urlOf(parent)}:runAggregationQuery`, {
      structuredAggregationQuery: { structuredQuery, aggregations: [{ alias: "n", count: {} }] }
    }),
    own: (rest) => own(project, `databases/${encodeURIComponent(database)}${rest}`),
  };
}

/** The path below the database of a full name of a document. */
export const pathOf = (name) => name.split("/documents/").slice(1).join("/documents/").split("/");
