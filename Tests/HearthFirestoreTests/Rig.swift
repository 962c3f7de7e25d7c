import Foundation
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthSQLite
import HearthTestSupport
import HearthTime
import HearthWire
import SwiftProtobuf
import Testing

/// A Firestore of a test's own: in memory, with a frozen clock.
struct Rig: Sendable {
  static let database = DatabaseName(project: "demo", database: "(default)")

  let clock = ManualClock()
  let clocks: ProjectClocks
  let store: Store
  let firestore: Firestore

  init(
    history: HistoryBounds = HistoryBounds(), transactions: Switches.TransactionMode = .emulator,
    _ change: @Sendable (inout Switches) -> Void = { _ in },
    indexing: (@Sendable (DatabaseName, String) -> GroupIndexing)? = nil,
    observer: (any CommitObserver)? = nil, rules: RulesTable = RulesTable()
  ) throws {
    var switches = Switches.Profile.emulator.switches
    switches.transactions = transactions
    change(&switches)
    clocks = ProjectClocks(clock)
    store = try Store(migrations: Firestore.migrations)
    firestore = try Firestore(
      store: store, clocks: clocks, rules: rules, history: history,
      observer: observer, switches: { [switches] _ in switches }, indexing: indexing)
  }

  func commit(
    _ writes: [Write], in transaction: Data = Data(), database: DatabaseName = Rig.database,
    as caller: FirestoreCaller = .owner
  ) async throws(APIError) -> CommitResponse {
    try await firestore.commit(
      .with {
        $0.database = database.description
        $0.writes = writes
        $0.transaction = transaction
      }, as: caller)
  }

  func set(rules: String) throws(APIError) {
    let source = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents { \(rules) } }
      """
    _ = try firestore.setSecurityRules(
      of: .project(Self.database.project),
      ["rules": ["files": [["name": "firestore.rules", "content": .string(source)]]]])
  }

  /// Sets documents, each in a commit of its own.
  func set(_ documents: KeyValuePairs<String, Fields>) async throws {
    for (path, fields) in documents { _ = try await commit([.set(path, fields: fields)]) }
  }

  func run(
    _ query: StructuredQuery, parent: String = Rig.database.documents, at time: Int64? = nil
  ) async throws(APIError) -> [Document] {
    let responses = try await firestore.runQuery(
      .with {
        $0.parent = parent
        $0.structuredQuery = query
        if let time { $0.readTime = ProtoTimestamp(microseconds: time) }
      }, as: .owner)
    return responses.filter(\.hasDocument).map(\.document)
  }

  func ids(
    _ query: StructuredQuery, parent: String = Rig.database.documents
  ) async throws -> [String] {
    try await run(query, parent: parent).map { String($0.name.split(separator: "/").last ?? "") }
  }

  func aggregate(
    _ query: StructuredQuery, parent: String = Rig.database.documents,
    aggregations: [Aggregation]
  ) async throws(APIError) -> Fields {
    let responses = try await firestore.runAggregationQuery(
      .with {
        $0.parent = parent
        $0.structuredAggregationQuery.structuredQuery = query
        $0.structuredAggregationQuery.aggregations = aggregations
      }, as: .owner)
    return responses.first?.result.aggregateFields ?? [:]
  }
}

typealias Aggregation = Google_Firestore_V1_StructuredAggregationQuery.Aggregation

/// The full name of a document from its path below `documents`.
func name(_ path: String) -> String { "\(Rig.database.documents)/\(path)" }

extension Write {
  static func set(_ path: String, fields: Fields) -> Write {
    .with {
      $0.update.name = name(path)
      $0.update.fields = fields
    }
  }

  static func delete(_ path: String) -> Write { .with { $0.delete = name(path) } }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// So that tests can write texts plainly.
  public init(stringLiteral value: String) { self = .with { $0.stringValue = value } }
  /// So that tests can write numbers plainly.
  public init(integerLiteral value: Int64) { self = .with { $0.integerValue = value } }
}

extension StructuredQuery {
  /// The documents of one collection, or of all collections of that id.
  static func of(_ collection: String, everywhere: Bool = false) -> StructuredQuery {
    .with { query in
      query.from = [
        .with {
          $0.collectionID = collection
          $0.allDescendants = everywhere
        }
      ]
    }
  }

  func ordered(by field: String, descending: Bool = false) -> StructuredQuery {
    var query = self
    query.orderBy.append(
      .with {
        $0.field.fieldPath = field
        $0.direction = descending ? .descending : .ascending
      })
    return query
  }

  func filtered(by filter: Filter) -> StructuredQuery {
    var query = self
    query.where = filter
    return query
  }

  func limited(to count: Int32) -> StructuredQuery {
    var query = self
    query.limit = .with { $0.value = count }
    return query
  }
}

extension StructuredQuery.Filter {
  static func field(
    _ path: String, op: StructuredQuery.FieldFilter.Operator, value: Value
  ) -> StructuredQuery.Filter {
    .with {
      $0.fieldFilter.field.fieldPath = path
      $0.fieldFilter.op = op
      $0.fieldFilter.value = value
    }
  }

  static func unary(
    _ path: String, op: StructuredQuery.UnaryFilter.Operator
  ) -> StructuredQuery.Filter {
    .with {
      $0.unaryFilter.field.fieldPath = path
      $0.unaryFilter.op = op
    }
  }

  static func composite(
    _ op: StructuredQuery.CompositeFilter.Operator, filters: [StructuredQuery.Filter]
  ) -> StructuredQuery.Filter {
    .with {
      $0.compositeFilter.op = op
      $0.compositeFilter.filters = filters
    }
  }
}
