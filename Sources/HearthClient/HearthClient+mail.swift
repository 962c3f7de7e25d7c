import Foundation

extension HearthClient {
  /// The newest matching mail; waits for one to arrive if there is none.
  ///
  /// ```swift
  /// let first = try await hearth.waitForMail(to: "ann@example.com")
  /// try await hearth.sendPasswordReset(to: "ann@example.com")
  /// let second = try await hearth.waitForMail(to: "ann@example.com", after: first)
  /// ```
  ///
  /// - Parameters:
  ///   - address: whom it goes to.
  ///   - kind: what it is for; nil for anything.
  ///   - last: only mails that are newer than this one.
  ///   - patience: how long to wait, five minutes at most.
  /// - Returns: the mail.
  /// - Throws: ``HearthError``, with `NOT_FOUND` when the time is over.
  public func waitForMail(
    to address: String, type kind: Mail.Kind? = nil, after last: Mail? = nil,
    within patience: Duration = .seconds(10)
  ) async throws -> Mail {
    var query = filter(address, kind, last)
    let milliseconds = patience / .milliseconds(1)
    query["wait"] = "\(Int(min(300_000, max(0, milliseconds))))ms"
    return try await control("GET", "messages/latest", query: query, answering: Mail.self)
  }

  /// The newest matching mail of those that are there.
  ///
  /// - Parameters:
  ///   - address: whom it went to; nil for anybody.
  ///   - kind: what it is for; nil for anything.
  /// - Returns: the mail; nil when there is none.
  /// - Throws: ``HearthError``.
  public func latestMail(
    to address: String? = nil, type kind: Mail.Kind? = nil
  ) async throws -> Mail? {
    do {
      return try await control(
        "GET", "messages/latest", query: filter(address, kind, nil), answering: Mail.self)
    } catch let error as HearthError where error.httpStatus == 404 {
      return nil
    }
  }

  /// All matching mails, oldest first.
  ///
  /// - Parameters:
  ///   - address: whom they went to; nil for anybody.
  ///   - kind: what they are for; nil for anything.
  ///   - last: only mails that are newer than this one.
  /// - Returns: the mails.
  /// - Throws: ``HearthError``.
  public func mails(
    to address: String? = nil, type kind: Mail.Kind? = nil, after last: Mail? = nil
  ) async throws -> [Mail] {
    struct List: Decodable { let messages: [Mail] }
    return try await control(
      "GET", "messages", query: filter(address, kind, last), answering: List.self
    ).messages
  }

  /// Empties the mailbox of the project.
  ///
  /// - Throws: ``HearthError``.
  public func deleteMails() async throws {
    try await control("DELETE", "messages", answering: Nothing.self)
  }

  private func filter(_ address: String?, _ kind: Mail.Kind?, _ last: Mail?) -> [String: String] {
    var query: [String: String] = [:]
    query["to"] = address
    query["type"] = kind?.rawValue
    query["after"] = last?.id
    return query
  }
}
