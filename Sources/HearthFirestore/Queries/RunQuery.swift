package import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import HearthTime
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Firestore {
  package func runQuery(
    _ request: RunQueryRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> [RunQueryResponse] {
    guard case .structuredQuery? = request.queryType else {
      throw .invalid("only structured queries are supported")
    }
    let parent = try ResourcePath.parent(request.parent)
    let judging = indexJudging(in: parent.database)
    let query = try Query(
      parent: parent, request.structuredQuery, readsNamesBackwards: judging != nil)
    let isProduction = answersAsProduction(parent.database.project)
    if isProduction { try query.checkOperands() }
    let selector: ReadSelector =
      switch request.consistencySelector {
      case .transaction(let id)?: .transaction(id)
      case .newTransaction(let options)?: .newTransaction(options)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
    let reading = try begin(selector, in: query.parent.database)
    let judged = judging?.plan(query, by: caller, "runQuery")
    if request.hasExplainOptions, !request.explainOptions.analyze {
      let metrics = try await plan(query, reading, caller, judged)
      return [.with { $0.explainMetrics = metrics }]
    }
    let start = clocks.machineMicroseconds
    let (found, time) = try await run(query, reading, caller, judged)
    var responses = try await found.decode { document in
      RunQueryResponse.with {
        $0.document = query.message(of: document)
        $0.readTime = ProtoTimestamp(microseconds: time)
      }
    }
    if responses.isEmpty {
      responses = [.with { $0.readTime = ProtoTimestamp(microseconds: time) }]
    }
    RunQueryResponse.mark(
      &responses, skipped: query.limit == 0 && isProduction ? 0 : found.skipped,
      asProduction: isProduction)
    if request.hasExplainOptions {
      responses[responses.count - 1].explainMetrics = try metrics(
        of: query, results: found.documents.count, skipped: found.skipped, since: start, reading)
    }
    if let id = reading.newTransaction { responses.insert(.with { $0.transaction = id }, at: 0) }
    return responses
  }

  /// In a read-write transaction what the query found must still be so when the transaction
  /// commits; most transactions lock it until then.
  func run(
    _ query: Query, _ reading: Reading, _ caller: FirestoreCaller, _ judged: JudgedQuery? = nil
  ) async throws(APIError) -> (result: QueryResult, time: Int64) {
    let isProduction = query.nearest != nil && answersAsProduction(reading.database.project)
    func once() async throws(APIError) -> (result: QueryResult, time: Int64) {
      try await RuleVerdicts.settle(in: self) { verdicts throws(APIError) in
        try read(reading) { snapshot throws(APIError) in
          try RulesGate(self, caller, reading.database, snapshot.documents, verdicts)?
            .checkList(query, in: snapshot)
          try judged?.requireIndexes()
          if let nearest = query.nearest, isProduction {
            try nearest.checkDirections(in: try snapshot.run(query.unlimited).documents)
          }
          return try snapshot.run(query)
        }
      }
    }
    guard let transaction = reading.readWrite else { return try await once() }
    try await transactions.lock(query, for: transaction)
    var found = try await once()
    if transaction.concurrency == .pessimistic {
      try await transactions.lock(found.result.documents.map(\.path), for: transaction)
      found = try await once()
    }
    let versions = found.result.documents.map { ($0.path, $0.updateTime) }
    transactions.recordQuery(
      query, Dictionary(versions, uniquingKeysWith: { $1 }), for: transaction.number)
    return found
  }

  package func runAggregationQuery(
    _ request: RunAggregationQueryRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> [RunAggregationQueryResponse] {
    let parent = try ResourcePath.parent(request.parent)
    guard case .structuredAggregationQuery? = request.queryType else {
      throw .invalid("Only structured aggregation queries are supported.")
    }
    let judging = indexJudging(in: parent.database)
    let aggregations = try Aggregations(
      parent: parent, request.structuredAggregationQuery, readsNamesBackwards: judging != nil)
    let judged = judging?.plan(
      aggregations.query, aggregating: aggregations.fields, by: caller, "runAggregationQuery")
    let selector: ReadSelector =
      switch request.consistencySelector {
      case .transaction(let id)?: .transaction(id)
      case .newTransaction(let options)?: .newTransaction(options)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
    let isProduction = answersAsProduction(parent.database.project)
    if isProduction { try aggregations.query.checkOperands() }
    let reading = try begin(selector, in: parent.database)
    if request.hasExplainOptions, !request.explainOptions.analyze {
      let metrics = try await plan(
        aggregations.query, aggregated: aggregations.fields, reading, caller, judged)
      return [.with { $0.explainMetrics = metrics }]
    }
    let start = clocks.machineMicroseconds
    // Locks what is counted.
    if reading.readWrite != nil { _ = try await run(aggregations.query, reading, caller, judged) }
    let (result, time) = try await RuleVerdicts.settle(in: self) { verdicts throws(APIError) in
      try read(reading) { snapshot throws(APIError) in
        try RulesGate(self, caller, parent.database, snapshot.documents, verdicts)?
          .checkList(aggregations.query, in: snapshot)
        try judged?.requireIndexes()
        return try aggregations.run(in: snapshot)
      }
    }
    var responses: [RunAggregationQueryResponse] = [
      .with {
        $0.result.aggregateFields = result
        // Production has no time for a count that looks at nothing.
        let isTimeless = isProduction && aggregations.countsNothing
        $0.readTime = ProtoTimestamp(microseconds: isTimeless ? -1 : time)
      }
    ]
    if request.hasExplainOptions {
      responses[0].explainMetrics = try metrics(of: aggregations, since: start, reading)
    }
    if let id = reading.newTransaction { responses.insert(.with { $0.transaction = id }, at: 0) }
    return responses
  }
}
