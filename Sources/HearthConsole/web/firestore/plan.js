// The indexes that answer a query, and what it would cost in production.

import { call } from "../core/api.js";
import { facts, h, hint, pretty, table } from "../core/ui.js";

/** The index that production would miss for the query; nothing where it would answer. */
export async function missingIndex(db, parent, structuredQuery) {
  const plan = await call("POST", db.own("/indexes:plan"), {
    body: { structuredQuery, ...(parent.length && { parent: parent.join("/") }) },
  }).catch(() => ({}));
  return plan.missing?.length ? plan : undefined;
}

/** What explain tells of a query that has been run. */
export function planOf({ metrics: { planSummary = {}, executionStats = {} }, missing }) {
  const indexes = planSummary.indexesUsed ?? [];
  const { debugStats = {}, readOperations, executionDuration } = executionStats;
  return [
    missing && hint("Hearth answers without these indexes; production would not:"),
    missing && h("pre", {}, missing.missing.map((index) => pretty(index)).join("\n")),
    indexes.length
      ? table(
        "Indexes",
        [["Index"], ["Scope"]],
        indexes.map((index) => [h("code", {}, index.properties), index.query_scope]),
      )
      : hint("No index is read."),
    facts([
      ["Read operations", readOperations],
      ["Documents read", debugStats.documents_scanned],
      ["Index entries read", debugStats.index_entries_scanned],
      ["Duration", executionDuration],
    ]),
  ];
}
