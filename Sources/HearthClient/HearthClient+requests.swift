public import Foundation

/// A request that the emulator has answered, as its log has it.
public struct LoggedRequest: Sendable, Equatable, Identifiable {
  /// Grows with every request.
  public let id: Int
  /// When it came, by the project's clock.
  public let time: Date
  /// Such as `POST`.
  public let method: String
  /// The path and the query, without secrets.
  public let path: String
  /// The id of the operation, such as `identitytoolkit.accounts.signUp`.
  public let operation: String
  /// The status of the answer.
  public let status: Int
  /// The code of the refusal; nil when there was none.
  public let error: String?
  /// Why it was refused.
  public let reason: String?
  /// Who called: `anonymous`, `apiKey`, `user`, or `owner`.
  public let caller: String?
  /// The id of the user who called.
  public let uid: String?
}

extension LoggedRequest: CustomStringConvertible {
  /// A line for a test's log.
  public var description: String {
    let words = [operation, "\(status)", error].compactMap(\.self)
    return words.joined(separator: " ")
  }
}

extension HearthClient {
  /// The requests of the app to the project, oldest first.
  ///
  /// - Parameters:
  ///   - operation: the id of an operation, with `*` for any characters; nil for all.
  ///   - status: such as `403`, `4xx`, or `failed`; nil for all.
  ///   - last: only requests that came after this one.
  ///   - text: a part of the path, the operation, the user's id or the error.
  /// - Returns: the latest 1000 at most.
  /// - Throws: ``HearthError``.
  public func requests(
    of operation: String? = nil, status: String? = nil, after last: LoggedRequest? = nil,
    containing text: String? = nil
  ) async throws -> [LoggedRequest] {
    try await requests([
      "operation": operation, "status": status, "after": last.map { "\($0.id)" }, "q": text,
    ])
  }

  private func requests(_ query: [String: String?]) async throws -> [LoggedRequest] {
    struct List: Decodable { let requests: [LoggedRequest] }
    return try await control(
      "GET", "requests", query: query.compactMapValues(\.self), answering: List.self
    ).requests
  }

  /// Empties the request log of the project.
  ///
  /// - Throws: ``HearthError``.
  public func clearRequests() async throws {
    try await control("DELETE", "requests", answering: Nothing.self)
  }

  /// The newest request of an operation; waits for one if there is none.
  ///
  /// - Parameters:
  ///   - operation: the id of the operation, with `*` for any characters.
  ///   - status: such as `403`, `4xx`, or `failed`; nil for all.
  ///   - last: only a request that came after this one.
  ///   - patience: how long to wait, five minutes at most.
  /// - Returns: the request.
  /// - Throws: ``HearthError``, with `NO_SUCH_REQUEST` and the requests that came instead.
  public func waitForRequest(
    _ operation: String, status: String? = nil, after last: LoggedRequest? = nil,
    within patience: Duration = .seconds(10)
  ) async throws -> LoggedRequest {
    let found = try await requests([
      "operation": operation, "status": status, "after": last.map { "\($0.id)" },
      "wait": waitTime(patience),
    ])
    if let newest = found.last { return newest }
    throw try await refusal(
      "NO_SUCH_REQUEST",
      "no request of \(operation)\(status.map { " with status \($0)" } ?? "") within \(patience)")
  }

  /// Throws unless the app has made so many requests of an operation.
  ///
  /// - Parameters:
  ///   - operation: the id of the operation, with `*` for any characters.
  ///   - count: how many; nil for one or more.
  ///   - status: such as `403`, `4xx`, or `failed`; nil for all.
  /// - Returns: the requests.
  /// - Throws: ``HearthError``, with `UNEXPECTED_REQUESTS` and the requests that came instead.
  @discardableResult
  public func expectRequests(
    _ operation: String, count: Int? = nil, status: String? = nil
  ) async throws -> [LoggedRequest] {
    let found = try await requests(of: operation, status: status)
    if let count {
      if found.count == count { return found }
    } else if !found.isEmpty {
      return found
    }
    let wanted = count.map(String.init) ?? "1 or more"
    throw try await refusal(
      "UNEXPECTED_REQUESTS",
      "expected \(wanted) of \(operation)\(status.map { " with status \($0)" } ?? ""), "
        + "found \(found.count)")
  }

  /// An error that tells which requests there were.
  private func refusal(_ code: String, _ message: String) async throws -> HearthError {
    HearthError(
      code: code, message: "\(message); \(try await seenRequests())", httpStatus: 0)
  }

  /// The latest requests of the project in words.
  func seenRequests() async throws -> String {
    let all = try await requests()
    guard !all.isEmpty else { return "the app has made no requests to \(project)" }
    let shown = all.suffix(10).map(\.description).joined(separator: ", ")
    return all.count > 10
      ? "the last 10 of \(all.count) requests: \(shown)" : "the requests: \(shown)"
  }
}

extension LoggedRequest: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, time, method, path, operation, status, error, reason, caller, uid
  }

  /// Reads an entry of the request log.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if it is not one.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(Int.self, forKey: .id)
    time = try members.time(.time)
    method = try members.decode(String.self, forKey: .method)
    path = try members.decode(String.self, forKey: .path)
    operation = try members.decode(String.self, forKey: .operation)
    status = try members.decode(Int.self, forKey: .status)
    error = try members.decodeIfPresent(String.self, forKey: .error)
    reason = try members.decodeIfPresent(String.self, forKey: .reason)
    caller = try members.decodeIfPresent(String.self, forKey: .caller)
    uid = try members.decodeIfPresent(String.self, forKey: .uid)
  }
}
