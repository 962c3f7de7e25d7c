import Foundation

/// Who reads or writes a document.
public enum FirestoreCaller: Sendable {
  /// An Admin SDK: rules do not apply.
  case administrator
  /// A user of the app.
  case user(Session)
  /// An app without a user.
  case nobody
}

/// A document of Firestore.
public struct FirestoreDocument: Sendable, Equatable, Identifiable {
  /// Its path, such as `users/ann`.
  public let path: String
  /// Its fields.
  public let fields: [String: FirestoreValue]

  /// The last part of its path.
  public var id: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension HearthClient {
  /// Writes a document, and replaces the one that is there.
  ///
  /// ```swift
  /// try await hearth.setDocument("users/ann", ["name": "Ann", "age": 30])
  /// ```
  ///
  /// - Parameters:
  ///   - path: such as `users/ann`.
  ///   - fields: all fields.
  ///   - caller: who writes it.
  ///   - database: the id of the database.
  /// - Throws: ``HearthError``, with `PERMISSION_DENIED` when rules refuse it.
  public func setDocument(
    _ path: String, _ fields: [String: FirestoreValue], as caller: FirestoreCaller = .administrator,
    database: String = "(default)"
  ) async throws {
    try await call(
      "PATCH", documents(database) + "/" + path, ["fields": fields.mapValues(\.json)],
      as: caller.credential, answering: Nothing.self)
  }

  /// Writes documents in one commit.
  ///
  /// - Parameters:
  ///   - documents: their fields, by their paths.
  ///   - caller: who writes them.
  ///   - database: the id of the database.
  /// - Throws: ``HearthError``; none of them is written then.
  public func setDocuments(
    _ documents: [String: [String: FirestoreValue]], as caller: FirestoreCaller = .administrator,
    database: String = "(default)"
  ) async throws {
    let root = documentsName(database)
    let writes: [[String: any Sendable]] = documents.sorted { $0.key < $1.key }.map {
      path, fields in
      let update: [String: any Sendable] = [
        "name": "\(root)/\(path)", "fields": fields.mapValues(\.json),
      ]
      return ["update": update]
    }
    try await call(
      "POST", self.documents(database) + ":commit", ["writes": writes], as: caller.credential,
      answering: Nothing.self)
  }

  /// The fields of a document; nil when there is none.
  ///
  /// - Parameters:
  ///   - path: such as `users/ann`.
  ///   - caller: who reads it.
  ///   - database: the id of the database.
  /// - Returns: the fields.
  /// - Throws: ``HearthError``, with `PERMISSION_DENIED` when rules refuse it.
  public func document(
    _ path: String, as caller: FirestoreCaller = .administrator, database: String = "(default)"
  ) async throws -> [String: FirestoreValue]? {
    struct Found: Decodable { let fields: [String: FirestoreValue]? }
    do {
      return try await call(
        "GET", documents(database) + "/" + path, as: caller.credential, answering: Found.self
      ).fields ?? [:]
    } catch let error as HearthError where error.httpStatus == 404 {
      return nil
    }
  }

  /// All documents of a collection, by their ids.
  ///
  /// - Parameters:
  ///   - collection: such as `users`.
  ///   - caller: who reads them.
  ///   - database: the id of the database.
  /// - Returns: the documents.
  /// - Throws: ``HearthError``, with `PERMISSION_DENIED` when rules refuse it.
  public func documents(
    in collection: String, as caller: FirestoreCaller = .administrator,
    database: String = "(default)"
  ) async throws -> [FirestoreDocument] {
    struct Page: Decodable {
      struct Document: Decodable {
        let name: String
        let fields: [String: FirestoreValue]?
      }
      let documents: [Document]?
      let nextPageToken: String?
    }
    let prefix = documentsName(database).count + 1
    var found: [FirestoreDocument] = []
    var query = ["pageSize": "300"]
    repeat {
      let page = try await call(
        "GET", documents(database) + "/" + collection, query: query, as: caller.credential,
        answering: Page.self)
      found += (page.documents ?? []).map {
        FirestoreDocument(path: String($0.name.dropFirst(prefix)), fields: $0.fields ?? [:])
      }
      query["pageToken"] = page.nextPageToken
    } while query["pageToken"] != nil
    return found
  }

  /// Deletes a document.
  ///
  /// - Parameters:
  ///   - path: such as `users/ann`.
  ///   - caller: who deletes it.
  ///   - database: the id of the database.
  /// - Throws: ``HearthError``, with `PERMISSION_DENIED` when rules refuse it.
  public func deleteDocument(
    _ path: String, as caller: FirestoreCaller = .administrator, database: String = "(default)"
  ) async throws {
    try await call(
      "DELETE", documents(database) + "/" + path, as: caller.credential, answering: Nothing.self)
  }

  /// Deletes all documents of a database.
  ///
  /// - Parameter database: the id of the database.
  /// - Throws: ``HearthError``.
  public func deleteAllDocuments(database: String = "(default)") async throws {
    try await control("DELETE", "databases/\(database)/documents", answering: Nothing.self)
  }

  private func documentsName(_ database: String) -> String {
    "projects/\(project)/databases/\(database)/documents"
  }

  private func documents(_ database: String) -> String { "/v1/" + documentsName(database) }
}

extension FirestoreCaller {
  fileprivate var credential: HearthClient.Credential {
    switch self {
    case .administrator: .administrator
    case .user(let session): .bearer(session.idToken)
    case .nobody: .none
    }
  }
}
