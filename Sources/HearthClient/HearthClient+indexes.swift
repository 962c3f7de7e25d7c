public import Foundation

/// What happens to queries of Firestore whose index is not in the list.
public enum IndexMode: String, Sendable {
  /// Indexes are not checked.
  case off
  /// They are answered, and the report has them.
  case warn
  /// They are refused, as in production.
  case enforce
}

/// A query without its values that has missed an index.
public struct MissedIndex: Sendable, Equatable, Decodable {
  /// The query, without the values it compares with.
  public let query: String
  /// What it lacks, for people.
  public let reason: String
  /// The operation that asked it first, such as `runQuery`.
  public let operation: String
  /// How often it was asked.
  public let count: Int
  /// Whether an index that was added since serves it.
  public let served: Bool
}

extension HearthClient {
  /// Sets what happens to queries whose index is missing.
  ///
  /// - Parameter mode: the mode of queries from now on.
  /// - Throws: ``HearthError``.
  public func setIndexes(_ mode: IndexMode) async throws {
    try await control("PATCH", "switches", ["indexes": mode.rawValue], answering: Nothing.self)
  }

  /// Replaces the indexes of a database, for a test.
  ///
  /// - Parameters:
  ///   - file: the contents of a `firestore.indexes.json`.
  ///   - database: the id of the database.
  /// - Throws: ``HearthError``, with all mistakes of the file and their places.
  public func setIndexes(file: Data, of database: String = "(default)") async throws {
    try await control("PUT", "databases/\(database)/indexes", json: file, answering: Nothing.self)
  }

  /// The queries that have missed an index since the start, for a test to expect none.
  ///
  /// - Parameter database: the id of the database.
  /// - Returns: an entry for each kind of query.
  /// - Throws: ``HearthError``.
  public func missedIndexes(of database: String = "(default)") async throws -> [MissedIndex] {
    struct Report: Decodable { let missing: [MissedIndex] }
    return try await control(
      "GET", "databases/\(database)/indexes:report", answering: Report.self
    ).missing
  }
}
