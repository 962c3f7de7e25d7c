import HearthCrypto
import HearthIndexes
import HearthTestSupport
import Testing

@Suite("Plans against a machine that can only read indexes")
struct IndexMachineTests {
  private static let paths = ["a", "b", "c"].map { IndexedPath(segments: [$0]) }
  private static let list = IndexedPath(segments: ["t"])

  /// Every combination of values and of missing fields, with names in no order.
  private static let documents: [NaiveDocument] = {
    var random = SplitMix(seed: 7)
    var names = Array(0..<256).shuffled(using: &random)
    let lists: [Set<Int>?] = [nil, [0], [0, 1], [1]]
    var documents: [NaiveDocument] = []
    for number in 0..<64 {
      var fields: [IndexedPath: Int] = [:]
      for (place, path) in paths.enumerated() {
        let value = number >> (2 * place) & 3
        if value < 3 { fields[path] = value }
      }
      for elements in lists {
        documents.append(
          NaiveDocument(
            name: names.removeLast(), fields: fields,
            elements: elements.map { [list: $0] } ?? [:]))
      }
    }
    return documents
  }()

  @Test(arguments: 0..<150)
  func plansAreRight(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let machine = IndexMachine(documents: Self.documents)
    let query = Self.query(&random)
    let configuration = Self.configuration(&random)
    let disjunct = try #require(
      try IndexCatalogue(configuration).plan(query.shape).disjuncts.first)
    switch disjunct.answer {
    case .names:
      #expect(machine.canAnswer(query, with: [[IndexField(.name, mode: .ascending)]]))
    case .index, .merge:
      #expect(
        machine.canAnswer(query, with: disjunct.answer.indexes.map(\.fields)),
        "\(query.shape) \(disjunct.reason)")
    case .missing(let missing):
      #expect(
        !machine.canAnswer(query, with: Self.indexes(configuration)),
        "\(query.shape) \(disjunct.reason)")
      #expect(machine.canAnswer(query, with: [missing.fields]), "\(query.shape) \(missing.reason)")
    }
  }

  private static func query(_ random: inout SplitMix) -> NaiveQuery {
    var query = NaiveQuery()
    for path in paths {
      switch random.number(0...5) {
      case 0, 1: query.equal[path] = random.number(0...2)
      case 2: query.greater[path] = 0
      default: break
      }
    }
    if random.chance(30) { query.element = (list, random.number(0...1)) }
    for path in paths.shuffled(using: &random) where random.chance(25) {
      query.orders.append(.init(path, isDescending: random.chance(40)))
    }
    if random.chance(10),
      query.greater.keys.allSatisfy({ path in
        query.orders.contains { $0.path == path }
      })
    {
      query.orders.append(.init(.name, isDescending: random.chance(50)))
    }
    return query
  }

  private static func configuration(_ random: inout SplitMix) -> IndexConfiguration {
    var configuration = IndexConfiguration()
    for _ in 0..<random.number(0...8) {
      var fields: [IndexField] = []
      if random.chance(25) { fields.append(IndexField(list, mode: .contains)) }
      for path in paths.shuffled(using: &random).prefix(random.number(1...3)) {
        fields.append(IndexField(path, mode: random.chance(25) ? .descending : .ascending))
      }
      if random.chance(10) {
        fields.append(IndexField(.name, mode: random.chance(50) ? .descending : .ascending))
      }
      configuration.indexes.append(CompositeIndex("c", scope: .collection, fields: fields))
    }
    for path in paths where random.chance(20) {
      let entries = FieldOverride.automatic.filter { _ in random.chance(40) }
      configuration.overrides.append(FieldOverride("c", path: path, entries: entries))
    }
    return configuration
  }

  /// All indexes that there are, written out by hand.
  private static func indexes(_ configuration: IndexConfiguration) -> [[IndexField]] {
    var indexes = configuration.indexes.map(\.completeFields)
    for path in paths + [list] {
      let override = configuration.overrides.first { $0.path == path }
      for entry in override?.entries ?? FieldOverride.automatic {
        let directions: [IndexField.Mode] =
          entry.mode == .contains ? [.ascending, .descending] : [entry.mode]
        indexes += directions.map {
          [IndexField(path, mode: entry.mode), IndexField(.name, mode: $0)]
        }
      }
    }
    return indexes
  }
}
