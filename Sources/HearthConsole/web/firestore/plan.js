// The indexes that answer a query, and what it would cost in production.

import { facts, fill, h, hint, table } from "../core/ui.js";

/** What explain tells of a query that has been run. */
function explained({ planSummary = {}, executionStats = {} }) {
  const indexes = planSummary.indexesUsed ?? [];
  const { debugStats = {}, readOperations, executionDuration } = executionStats;
  return [
    indexes.length ? table("Indexes", [["Index"], ["Scope"]], indexes.map((index) =>
      [h("code", {}, index.properties), index.query_scope])) : hint("No index is read."),
    facts([
      ["Read operations", readOperations],
      ["Documents read", debugStats.documents_scanned],
      ["Index entries read", debugStats.index_entries_scanned],
      ["Duration", executionDuration]
    ])
  ];
}

/** The plan of a query, in a place of its own, which fills when it is there. */
export function planView(db, parent, query) {
  const place = h("div");
  fill(place, async () => {
    const answer = await db.explain(parent, query);
    return explained(answer.findLast((row) => row.explainMetrics)?.explainMetrics ?? {});
  });
  return place;
}
