import HearthCrypto
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

/// Random writes, and random questions after each, to Firestore and to a model of it.
@Suite struct `Firestore and its model` {
  @Test(arguments: UInt64(0)..<12) func `agree on writes and queries`(seed: UInt64) async throws {
    var run = try ModelRun(seed: seed)
    for _ in 0..<200 {
      try await run.commit()
      try await run.askQuery()
      try await run.askQuery()
    }
    try await run.readEverything()
  }

  @Test(arguments: UInt64(20)..<26) func `agree on aggregations`(seed: UInt64) async throws {
    var run = try ModelRun(seed: seed)
    for _ in 0..<60 { try await run.commit() }
    for _ in 0..<150 { try await run.askAggregation() }
  }

  /// SDKs turn the query around, and then its result.
  @Test(arguments: UInt64(30)..<36) func `agree on the last of a result`(seed: UInt64) async throws
  {
    var run = try ModelRun(seed: seed)
    for _ in 0..<60 { try await run.commit() }
    for _ in 0..<150 { try await run.askForTheLast() }
  }

  @Test(arguments: UInt64(40)..<46) func `agree on the past`(seed: UInt64) async throws {
    var run = try ModelRun(seed: seed)
    for _ in 0..<60 { try await run.commit() }
    for _ in 0..<150 { try await run.askThePast() }
  }

  /// So large that an index is followed in the query's order, rather than read and sorted.
  @Test(arguments: UInt64(50)..<52) func `agree on a large collection`(seed: UInt64) async throws {
    var run = try ModelRun(seed: seed)
    try await run.fill(560)
    for _ in 0..<100 { try await run.askQuery() }
  }
}

/// One Firestore, one model, and what both are asked.
struct ModelRun {
  let seed: UInt64
  let rig: Rig
  private(set) var model = Model()
  /// The model after each commit.
  private(set) var history: [(time: Int64, model: Model)] = []
  private(set) var random: SplitMix

  init(seed: UInt64) throws {
    self.seed = seed
    rig = try Rig()
    random = SplitMix(seed: seed)
  }

  mutating func commit() async throws {
    // Most commits fall into one instant of the clock.
    rig.clock.advance(by: .milliseconds(random.pick([0, 0, 0, 1, 1500])))
    try await commit(random.writes(model))
  }

  mutating func commit(_ writes: [Write]) async throws {
    let told = "seed \(seed), commit \(history.count): \(writes.map { $0.textFormatString() })"
    do {
      let response = try await rig.commit(writes)
      let time = response.commitTime.microseconds
      #expect(time > history.last?.time ?? 0, "\(told)")
      let results = try model.commit(writes, at: time)
      history.append((time, model))
      let found = response.writeResults.map {
        Model.Result(
          updateTime: $0.hasUpdateTime ? $0.updateTime.microseconds : nil,
          transforms: $0.transformResults)
      }
      #expect(found.map(\.exact) == results.map(\.exact), "\(told)")
    } catch let refusal as Refusal {
      Issue.record("the model refuses with \(refusal.status): \(told)")
    } catch let error as APIError {
      var copy = model
      #expect(
        throws: Refusal(status: error.code.row.status ?? ""), "\(error.message): \(told)",
        performing: { _ = try copy.commit(writes, at: 0) })
    }
  }

  /// Documents of which most share a value.
  mutating func fill(_ count: Int) async throws {
    for start in stride(from: 0, to: count, by: 100) {
      try await commit(
        (start..<min(count, start + 100)).map { number in
          var fields = random.fields()
          fields["k"] = random.chance(95) ? .int(1) : random.commonValue()
          return .set("c/\(number)", fields: fields)
        })
    }
  }

  mutating func askQuery() async throws {
    let query = random.query(model)
    try await ask(query, of: model, at: nil)
  }

  mutating func askThePast() async throws {
    let query = random.query(model)
    let (time, model) = random.pick(history)
    try await ask(query, of: model, at: time)
  }

  private func ask(_ query: RandomQuery, of model: Model, at time: Int64?) async throws {
    let wanted = model.run(query.message, parent: query.parent).map {
      Model.shown($0, by: query.message).exact
    }
    let refusal = Model.refusal(of: query.message, parent: query.parent)
    do {
      let found = try await rig.run(query.message, parent: query.parent, at: time).map(\.exact)
      #expect(refusal == nil, "\(told(query))")
      if refusal == nil { #expect(found == wanted, "\(told(query))") }
    } catch {
      #expect(error.code.row.status == refusal?.status, "\(error.message): \(told(query))")
    }
  }

  mutating func askAggregation() async throws {
    var query = random.query(model)
    query.message.clearSelect()
    var aggregations: [Aggregation] = []
    for index in 0..<random.number(1...4) {
      var aggregation = Aggregation.with { $0.alias = "a\(index)" }
      let field = random.pick(World.fields).text
      switch random.number(0...3) {
      case 0: aggregation.count = .init()
      case 1: aggregation.count.upTo = .with { $0.value = Int64(random.number(1...4)) }
      case 2: aggregation.sum.field.fieldPath = field
      default: aggregation.avg.field.fieldPath = field
      }
      aggregations.append(aggregation)
    }
    let refusal = Model.refusal(
      of: query.message, parent: query.parent, aggregating: Model.paths(aggregations))
    guard refusal == nil else {
      await #expect(throws: APIError.self, "\(told(query))") {
        try await rig.aggregate(query.message, parent: query.parent, aggregations: aggregations)
      }
      return
    }
    let wanted = model.aggregate(query.message, parent: query.parent, aggregations: aggregations)
    let found = try await rig.aggregate(
      query.message, parent: query.parent, aggregations: aggregations)
    #expect(
      found.exact == wanted.exact,
      "\(told(query)) \(aggregations.map { $0.textFormatString() })")
  }

  mutating func askForTheLast() async throws {
    var query = random.query(model)
    query.message.offset = 0
    query.message.clearLimit()
    let count = random.number(1...5)
    let wanted = model.run(query.message, parent: query.parent).suffix(count)
    var turned = query.message.limited(to: Int32(count))
    turned.orderBy = []
    for order in Model.orders(of: query.message) {
      turned = turned.ordered(by: order.path.text, descending: !order.isDescending)
    }
    (turned.startAt, turned.endAt) = (query.message.endAt, query.message.startAt)
    turned.startAt.before.toggle()
    turned.endAt.before.toggle()
    if !query.message.hasEndAt { turned.clearStartAt() }
    if !query.message.hasStartAt { turned.clearEndAt() }
    guard Model.refusal(of: turned, parent: query.parent) == nil else { return }
    let found = try await rig.run(turned, parent: query.parent).reversed()
    #expect(
      found.map(\.exact) == wanted.map { Model.shown($0, by: query.message).exact },
      "the last \(count) of \(told(query))")
  }

  func readEverything() async throws {
    let found = try await rig.run(.with { $0.from = [.with { $0.allDescendants = true }] })
    #expect(Set(found.map(\.exact)) == Set(model.documents.values.map(\.exact)), "seed \(seed)")
  }

  private func told(_ query: RandomQuery) -> String {
    "seed \(seed), after \(history.count) commits, below \(query.parent): "
      + query.message.textFormatString()
  }
}
