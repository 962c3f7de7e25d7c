public import Foundation

/// What a project held at a time: its accounts, documents, mails and settings.
public struct Snapshot: Sendable, Equatable {
  /// Its name.
  public let name: String
  /// When it was made.
  public let createdAt: Date
  /// About the bytes that its contents take.
  public let bytes: Int
}

extension HearthClient {
  /// Makes a snapshot of the project, for ``restoreSnapshot(_:keepingClock:)`` to come back to.
  ///
  /// - Parameters:
  ///   - name: letters, digits, dots, hyphens and underscores.
  ///   - replacing: whether it replaces the one of that name; else there must be none.
  /// - Returns: the snapshot.
  /// - Throws: ``HearthError``.
  @discardableResult
  public func saveSnapshot(_ name: String, replacing: Bool = false) async throws -> Snapshot {
    try await control(
      "POST", "snapshots", ["name": name, "replace": replacing], answering: Snapshot.self)
  }

  /// The snapshots of the project, in the order in which they were made.
  ///
  /// - Returns: the snapshots.
  /// - Throws: ``HearthError``.
  public func snapshots() async throws -> [Snapshot] {
    struct List: Decodable { let snapshots: [Snapshot] }
    return try await control("GET", "snapshots", answering: List.self).snapshots
  }

  /// Gives the project what a snapshot holds. Listeners get it too.
  ///
  /// - Parameters:
  ///   - name: the name of the snapshot.
  ///   - keepingClock: whether the clock of the project stays as it is.
  /// - Throws: ``HearthError``.
  public func restoreSnapshot(_ name: String, keepingClock: Bool = false) async throws {
    try await control(
      "POST", "snapshots/\(name):restore", ["keepClock": keepingClock], answering: Nothing.self)
  }

  /// Deletes a snapshot. The project does not change.
  ///
  /// - Parameter name: the name of the snapshot.
  /// - Throws: ``HearthError``.
  public func deleteSnapshot(_ name: String) async throws {
    try await control("DELETE", "snapshots/\(name)", answering: Nothing.self)
  }

  /// Makes a new project of what a snapshot holds.
  ///
  /// - Parameters:
  ///   - name: the name of the snapshot.
  ///   - project: the id of the new project.
  /// - Returns: a client of the new project.
  /// - Throws: ``HearthError``.
  @discardableResult
  public func forkSnapshot(_ name: String, to project: String) async throws -> HearthClient {
    try await control("POST", "snapshots/\(name):fork", ["to": project], answering: Nothing.self)
    return client(of: project)
  }
}

/// A project that is as another one was.
public struct RewoundProject: Sendable {
  /// A client of it.
  public let client: HearthClient
  /// When the other project was so, by its clock.
  public let time: Date
  /// What is not as it was then: sentences for people.
  public let notRebuilt: [String]
}

extension HearthClient {
  /// Makes a project that is as this one was after a request of the log. This one does not change.
  ///
  /// ```swift
  /// let refused = try await hearth.waitForRequest("*commit", status: "failed")
  /// let then = try await hearth.rewind(after: refused)
  /// let cart = try await then.client.document("carts/ann")
  /// ```
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - project: the id of the new project; nil for one that is made of this one's.
  /// - Returns: a client of the new project, and what could not be rebuilt.
  /// - Throws: ``HearthError``, with `FAILED_PRECONDITION` where the emulator does not reach so far back.
  public func rewind(
    after request: LoggedRequest, to project: String? = nil
  ) async throws -> RewoundProject {
    try await rewind(["request": request.id, "to": project])
  }

  /// Makes a project that is as this one was at a time of its clock. This one does not change.
  ///
  /// - Parameters:
  ///   - time: the time.
  ///   - project: the id of the new project; nil for one that is made of this one's.
  /// - Returns: a client of the new project, and what could not be rebuilt.
  /// - Throws: ``HearthError``, with `FAILED_PRECONDITION` where the emulator does not reach so far back.
  public func rewind(
    at time: Date, to project: String? = nil
  ) async throws -> RewoundProject {
    let text = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return try await rewind(["time": text, "to": project])
  }

  private func rewind(_ moment: [String: (any Sendable)?]) async throws -> RewoundProject {
    struct Answer: Decodable {
      let project: String
      let time: String
      let notRebuilt: [String]
    }
    let made = try await control(
      "POST", "rewind", moment.compactMapValues(\.self), answering: Answer.self)
    return RewoundProject(
      client: client(of: made.project),
      time: try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(made.time),
      notRebuilt: made.notRebuilt)
  }
}

extension Snapshot: Decodable {
  private enum CodingKeys: String, CodingKey { case name, createdAt, bytes }

  /// Reads a snapshot as the emulator shows it.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if it is not one.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    name = try members.decode(String.self, forKey: .name)
    bytes = try members.decode(Int.self, forKey: .bytes)
    let time = try members.decode(String.self, forKey: .createdAt)
    do {
      createdAt = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .createdAt, in: members, debugDescription: "\(error)")
    }
  }
}
