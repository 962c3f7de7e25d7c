package import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import HearthSQLite
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
    let isProduction = answersAsProduction(parent.database.project)
    let query = try Query(
      parent: parent, request.structuredQuery, within: .init(asProduction: isProduction),
      readsNamesBackwards: judging != nil)
    let reading = try begin(
      ReadSelector(request.consistencySelector), in: parent.database, as: caller)
    let judged = judging?.plan(query, by: caller, operation: "runQuery")
    if request.hasExplainOptions, !request.explainOptions.analyze {
      let metrics = try await plan(query, reading: reading, caller: caller, judged: judged)
      return [.with { $0.explainMetrics = metrics }]
    }
    let start = clocks.machineMicroseconds
    let (found, time) = try await run(query, reading: reading, caller: caller, judged: judged)
    var responses = try await found.decode { document in
      RunQueryResponse.with {
        $0.document = query.message(of: document)
        $0.readTime = ProtoTimestamp(microseconds: time)
      }
    }
    if responses.isEmpty {
      responses = [.with { $0.readTime = ProtoTimestamp(microseconds: time) }]
    }
    RunQueryResponse.mark(&responses, skipped: found.skipped, asProduction: isProduction)
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
    _ query: Query, reading: Reading, caller: FirestoreCaller, judged: JudgedQuery? = nil
  ) async throws(APIError) -> (result: QueryResult, time: Int64) {
    guard let transaction = reading.readWrite else {
      return try await read(query, reading: reading, caller: caller, judged: judged)
    }
    try await transactions.lock(query, for: transaction)
    if transaction.concurrency == .pessimistic {
      let paths = try await read(query, reading: reading, caller: caller, judged: judged).result
        .documents.map(\.path)
      // Those who have the locks may wait for room.
      LargeAnswers.Answer.current?.hold(0)
      try await transactions.lock(paths, for: transaction)
    }
    let found = try await read(query, reading: reading, caller: caller, judged: judged)
    let versions = found.result.documents.map { ($0.path, $0.updateTime) }
    transactions.recordQuery(
      query, result: Dictionary(versions, uniquingKeysWith: { $1 }), for: transaction.number)
    return found
  }

  /// In portions, all but the first of them in a pool.
  private func read(
    _ query: Query, reading: Reading, caller: FirestoreCaller, judged: JudgedQuery?
  ) async throws(APIError) -> (result: QueryResult, time: Int64) {
    try await LargeReads.makeRoom { () async throws(APIError) in
      let portions = QueryPortions(query, in: self)
      var last = try await read(
        portions, of: query, reading: reading, caller: caller, judged: judged)
      if last.isOver { return (try portions.result(), last.time) }
      return try await queryPool.finish { () async throws(APIError) in
        while !last.isOver {
          store.yieldToWaiters()
          last = try await read(
            portions, of: query, reading: reading, caller: caller, judged: judged)
        }
        return (try portions.result(), last.time)
      }
    }
  }

  private func read(
    _ portions: QueryPortions, of query: Query, reading: Reading, caller: FirestoreCaller,
    judged: JudgedQuery?
  ) async throws(APIError) -> (isOver: Bool, time: Int64) {
    let nearest = answersAsProduction(reading.database.project) ? query.nearest : nil
    let (isOver, time) = try await RuleVerdicts.settle(in: self, database: reading.database) {
      verdicts throws(APIError) in
      try read(reading) { snapshot throws(APIError) in
        if portions.needsRulesCheck {
          try RulesGate(
            self, caller: caller, database: reading.database, documents: snapshot.documents,
            verdicts: verdicts)?
            .checkList(query, in: snapshot)
        }
        if portions.isFirst {
          try judged?.requireIndexes()
          try nearest?.checkDirections(in: try snapshot.run(query.unlimited).documents)
        }
        return try portions.advance(in: snapshot)
      }
    }
    return (isOver, time)
  }

  package func runAggregationQuery(
    _ request: RunAggregationQueryRequest, as caller: FirestoreCaller
  ) async throws(APIError) -> [RunAggregationQueryResponse] {
    let parent = try ResourcePath.parent(request.parent)
    guard case .structuredAggregationQuery? = request.queryType else {
      throw .invalid("Only structured aggregation queries are supported.")
    }
    let judging = indexJudging(in: parent.database)
    let isProduction = answersAsProduction(parent.database.project)
    let aggregations = try Aggregations(
      parent: parent, request.structuredAggregationQuery,
      within: .init(asProduction: isProduction), readsNamesBackwards: judging != nil)
    let judged = judging?.plan(
      aggregations.query, aggregating: aggregations.fields, by: caller,
      operation: "runAggregationQuery")
    let reading = try begin(
      ReadSelector(request.consistencySelector), in: parent.database, as: caller)
    if request.hasExplainOptions, !request.explainOptions.analyze {
      let metrics = try await plan(
        aggregations.query, aggregated: aggregations.fields, reading: reading, caller: caller,
        judged: judged)
      return [.with { $0.explainMetrics = metrics }]
    }
    let start = clocks.machineMicroseconds
    let (result, time) = try await values(
      of: aggregations, reading: reading, caller: caller, judged: judged)
    var responses: [RunAggregationQueryResponse] = [
      .with {
        $0.result.aggregateFields = result
        // Production has no time for a count that looks at nothing.
        let isTimeless = isProduction && aggregations.countsNothing
        $0.readTime = ProtoTimestamp(microseconds: isTimeless ? -1 : time)
        $0.done = !isProduction
      }
    ]
    if request.hasExplainOptions {
      responses[0].explainMetrics = try metrics(of: aggregations, since: start, reading)
    }
    if let id = reading.newTransaction { responses.insert(.with { $0.transaction = id }, at: 0) }
    return responses
  }

  private func values(
    of aggregations: Aggregations, reading: Reading, caller: FirestoreCaller,
    judged: JudgedQuery?
  ) async throws(APIError) -> (result: Fields, time: Int64) {
    let query = aggregations.query
    guard aggregations.isPlainCount else {
      let (found, time) = try await run(query, reading: reading, caller: caller, judged: judged)
      guard found.documents.count > QueryPortions.rows else {
        return (aggregations.values(of: found.documents), time)
      }
      return await queryPool.finish { (aggregations.values(of: found.documents), time) }
    }
    // Locks what is counted.
    if reading.readWrite != nil {
      _ = try await run(query, reading: reading, caller: caller, judged: judged)
    }
    return try await RuleVerdicts.settle(in: self, database: reading.database) {
      verdicts throws(APIError) in
      try read(reading) { snapshot throws(APIError) in
        try RulesGate(
          self, caller: caller, database: reading.database, documents: snapshot.documents,
          verdicts: verdicts)?
          .checkList(query, in: snapshot)
        try judged?.requireIndexes()
        return try aggregations.count(in: snapshot)
      }
    }
  }
}
