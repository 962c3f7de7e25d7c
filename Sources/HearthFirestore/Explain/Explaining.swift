import HearthErrors
import HearthFirestoreProtos
import HearthTime
import SwiftProtobuf

typealias ExplainMetrics = Google_Firestore_V1_ExplainMetrics

extension ExplainedPlan {
  /// What explain tells without running the query.
  var metrics: ExplainMetrics {
    .with {
      // Also where it is empty.
      $0.planSummary = .with { summary in
        summary.indexesUsed = indexes.map { index in
          Google_Protobuf_Struct(fields: [
            "query_scope": Google_Protobuf_Value(
              stringValue: index.isOfGroup ? "Collection group" : "Collection"),
            "properties": Google_Protobuf_Value(stringValue: index.properties),
          ])
        }
      }
    }
  }
}

/// https://cloud.google.com/firestore/docs/query-explain
extension Firestore {
  /// The plan alone. Who may not run the query learns nothing of it.
  ///
  /// - Throws: FAILED_PRECONDITION, shorter than for a query that is run, where an index is missing.
  func plan(
    _ query: Query, aggregated: [FieldPath] = [], reading: Reading, caller: FirestoreCaller,
    judged: JudgedQuery?
  ) async throws(APIError) -> ExplainMetrics {
    _ = try await RuleVerdicts.settle(in: self, database: reading.database) {
      verdicts throws(APIError) in
      try read(reading) { snapshot throws(APIError) in
        try RulesGate(
          self, caller: caller, database: reading.database, documents: snapshot.documents,
          verdicts: verdicts)?
          .checkList(query, in: snapshot)
      }
    }
    do throws(APIError) { try judged?.requireIndexes() } catch {
      throw error.saying("no matching index found.")
    }
    return explained(query, aggregated: aggregated).metrics
  }

  private func explained(_ query: Query, aggregated: [FieldPath] = []) -> ExplainedPlan {
    ExplainedPlan(query, aggregated: aggregated) { indexPlan(of: $0, aggregating: aggregated) }
  }

  /// Plan and cost of a query that has been run.
  func metrics(
    of query: Query, results: Int, skipped: Int, since start: Int64, _ reading: Reading
  ) throws(APIError) -> ExplainMetrics {
    let duration = clocks.machineMicroseconds - start
    let plan = explained(query)
    var cost = ExecutionCost(results: results, documents: results + skipped)
    let wanted = query.limit.map { $0 + query.offset + 1 }
    cost.entries = try read(reading) { snapshot throws(APIError) in
      try plan.entries(query, aggregated: [], in: snapshot, wanted: wanted)
    }.result
    if query.nearest != nil { cost.vectors = cost.entries }
    var metrics = plan.metrics
    metrics.executionStats = cost.statistics(after: duration)
    return metrics
  }

  func metrics(
    of aggregations: Aggregations, since start: Int64, _ reading: Reading
  ) throws(APIError) -> ExplainMetrics {
    let duration = clocks.machineMicroseconds - start
    let query = aggregations.query
    let plan = explained(query, aggregated: aggregations.fields)
    var cost = ExecutionCost(results: 1, isAggregation: true)
    let limits = [query.limit.map { $0 + query.offset }, aggregations.countLimit].compactMap(\.self)
    cost.entries = try read(reading) { snapshot throws(APIError) in
      try plan.entries(query, aggregated: aggregations.fields, in: snapshot, wanted: limits.min())
    }.result
    var metrics = plan.metrics
    metrics.executionStats = cost.statistics(after: duration)
    return metrics
  }
}
