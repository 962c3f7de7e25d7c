public import Foundation

extension HearthClient {
  /// The newest matching mail; waits for one to arrive if there is none.
  ///
  /// A mail whose code is used or has expired does not match, unless `state` includes it. So the mail of
  /// an earlier test is not mistaken for the one of this test.
  ///
  /// ```swift
  /// let first = try await hearth.waitForMail(to: "ann@example.com")
  /// try await hearth.sendPasswordReset(to: "ann@example.com")
  /// let second = try await hearth.waitForMail(to: "ann@example.com", after: first)
  /// ```
  ///
  /// - Parameters:
  ///   - address: the recipient.
  ///   - kind: the kind of mail; nil for any.
  ///   - last: only mails that are newer than this one.
  ///   - time: only mails that were sent then or later, by the project's clock.
  ///   - state: the states of the code that match.
  ///   - patience: how long to wait, five minutes at most.
  /// - Returns: the mail.
  /// - Throws: ``HearthError``, with `NOT_FOUND` when the time is over.
  public func waitForMail(
    to address: String, type kind: Mail.Kind? = nil, after last: Mail? = nil,
    since time: Date? = nil, state: Mail.StateFilter = .pending,
    within patience: Duration = .seconds(10)
  ) async throws -> Mail {
    var query = filter(address, kind, last, time, state)
    query["wait"] = waitTime(patience)
    return try await control("GET", "messages/latest", query: query, answering: Mail.self)
  }

  /// The newest matching mail, at once; by default also one whose code is used or has expired.
  ///
  /// - Parameters:
  ///   - address: the recipient; nil for any.
  ///   - kind: the kind of mail; nil for any.
  ///   - time: only a mail that was sent then or later, by the project's clock.
  ///   - state: the states of the code that match.
  /// - Returns: the mail; nil when there is none.
  /// - Throws: ``HearthError``.
  public func latestMail(
    to address: String? = nil, type kind: Mail.Kind? = nil, since time: Date? = nil,
    state: Mail.StateFilter = .any
  ) async throws -> Mail? {
    do {
      return try await control(
        "GET", "messages/latest", query: filter(address, kind, nil, time, state),
        answering: Mail.self)
    } catch let error as HearthError where error.httpStatus == 404 {
      return nil
    }
  }

  /// All matching mails, oldest first.
  ///
  /// - Parameters:
  ///   - address: the recipient; nil for any.
  ///   - kind: the kind of mail; nil for any.
  ///   - last: only mails that are newer than this one.
  ///   - time: only mails that were sent then or later, by the project's clock.
  ///   - state: the states of the code that match.
  ///   - search: what else must hold, such as `from:shop has:attachment`.
  /// - Returns: the mails.
  /// - Throws: ``HearthError``.
  public func mails(
    to address: String? = nil, type kind: Mail.Kind? = nil, after last: Mail? = nil,
    since time: Date? = nil, state: Mail.StateFilter = .any, search: String? = nil
  ) async throws -> [Mail] {
    struct List: Decodable { let messages: [Mail] }
    var query = filter(address, kind, last, time, state)
    query["q"] = search
    return try await control("GET", "messages", query: query, answering: List.self).messages
  }

  /// Empties the mailbox of the project, or deletes what a search finds.
  ///
  /// - Parameter search: such as `to:ann@example.com before:2027-01-31`; nil for all.
  /// - Throws: ``HearthError``.
  public func deleteMails(matching search: String? = nil) async throws {
    try await control(
      "DELETE", "messages", query: search.map { ["q": $0] } ?? [:], answering: Nothing.self)
  }

  private func filter(
    _ address: String?, _ kind: Mail.Kind?, _ last: Mail?, _ time: Date?, _ state: Mail.StateFilter
  ) -> [String: String] {
    var query: [String: String] = [:]
    query["to"] = address
    query["type"] = kind?.rawValue
    query["after"] = last?.id
    query["since"] = time?.formatted(.iso8601WithMilliseconds)
    query["state"] = state.rawValue
    return query
  }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
  fileprivate static var iso8601WithMilliseconds: Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  }
}
