package import HearthErrors
package import HearthWire

/// Which calls of the log are wanted: all of those conditions that are given must hold.
package struct RequestFilter {
  package static let parameters = [
    "all", "operation", "method", "status", "error", "caller", "uid", "q", "fault", "after",
    "limit",
  ]

  private static let most = 1000

  private let query: FormFields
  private let statuses: ClosedRange<Int>?
  private let after: Int64
  private let limit: Int
  private let text: String?

  package init(_ query: FormFields) throws(APIError) {
    self.query = query
    statuses = try query["status"].nonEmpty.map { text throws(APIError) in
      try Self.statuses(text)
    }
    after = Int64(try Self.number("after", query: query) ?? 0)
    limit = try Self.number("limit", query: query) ?? Self.most
    text = query["q"].nonEmpty?.lowercased()
  }

  private static func statuses(_ text: String) throws(APIError) -> ClosedRange<Int> {
    if text == "failed" { return 400...599 }
    if let status = Int(text) { return status...status }
    guard text.count == 3, text.hasSuffix("xx"), let class_ = Int(text.prefix(1)) else {
      throw APIError(
        .invalidArgument, detail: "\"status\" must be a number, such as 4xx, or failed")
    }
    return class_ * 100...class_ * 100 + 99
  }

  private static func number(_ name: String, query: FormFields) throws(APIError) -> Int? {
    guard let text = query[name].nonEmpty else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw APIError(.invalidArgument, detail: "\"\(name)\" must be a whole number")
    }
    return number
  }

  /// The latest of those that are wanted, oldest first.
  package func entries(
    of log: RequestLog, _ project: String, after last: Int64 = 0
  ) -> [RequestLog.Entry] {
    let pattern = query["operation"].nonEmpty.map { FaultPattern(text: $0) }
    return log.entries(of: project, after: max(after, last))
      .filter { matches($0, pattern: pattern) }.suffix(limit)
  }

  private func matches(_ entry: RequestLog.Entry, pattern: FaultPattern?) -> Bool {
    let call = entry.call
    guard query["all"] == "true" || !call.isAside else { return false }
    if let pattern, !pattern.matches(call.operation) { return false }
    if let statuses, !statuses.contains(call.status) { return false }
    if let method = query["method"].nonEmpty, method != call.method { return false }
    if let error = query["error"].nonEmpty, error != call.error?.name { return false }
    if let caller = query["caller"].nonEmpty, caller != call.caller?.name { return false }
    if let uid = query["uid"].nonEmpty, uid != call.caller?.uid { return false }
    if query["fault"] == "true", call.fault == nil { return false }
    guard let text else { return true }
    let places: [String?] = [
      entry.target, call.operation, call.resource, call.caller?.uid, call.error?.name,
    ]
    return places.contains { $0?.lowercased().contains(text) ?? false }
  }
}
