import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Finds accounts by a part of their id, address, phone number or name, the newest first: for people,
/// who rarely know the whole of it. `accounts:query` compares whole values.
enum SearchAccounts: Operation {
  private static let largestPage: Int64 = 1000

  struct Request: OperationRequest {
    let tenantId: String?
    let text: String
    let limit: Int64
    let offset: Int64

    init(_ wire: WireRequest) throws(APIError) {
      tenantId = wire.query["tenantId"].nonEmpty
      text = wire.query["q"] ?? ""
      limit = try number(wire.query["limit"], "limit", in: 1...largestPage) ?? 50
      offset = try number(wire.query["offset"], "offset", in: 0...Int64.max) ?? 0
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let owner = project.inTenant(request.tenantId)
    let users = try owner.users(
      containing: request.text, limit: request.limit, offset: request.offset)
    return .json([
      "recordsCount": .string(String(try owner.count(usersContaining: request.text))),
      "userInfo": .array(users.map { $0.wire(for: .admin) }),
    ])
  }

  private static func number(
    _ text: String?, _ name: String, in range: ClosedRange<Int64>
  ) throws(APIError) -> Int64? {
    guard let text = text.nonEmpty else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw APIError(
        .invalidArgument, "\"\(name)\" must be a whole number of at least \(range.lowerBound)")
    }
    return number
  }
}

extension ProjectTransaction {
  fileprivate func count(usersContaining text: String) throws(APIError) -> Int {
    try transaction.count(
      "SELECT COUNT(*) FROM users WHERE \(condition(text))", arguments(text))
  }

  fileprivate func users(
    containing text: String, limit: Int64, offset: Int64
  ) throws(APIError) -> [User] {
    try transaction.all(
      """
      SELECT record FROM users WHERE \(condition(text))
      ORDER BY CAST(json_extract(record, '$.createdAt') AS INTEGER) DESC, local_id DESC
      LIMIT ? OFFSET ?
      """,
      arguments(text) + [limit, offset]
    ) { User(record: try JSON.parse($0[0] as String)) }
  }

  private func condition(_ text: String) -> String {
    guard !text.isEmpty else { return "project = ?1 AND tenant = ?2" }
    let places = ["local_id", "email", "phone_number", "json_extract(record, '$.displayName')"]
    let matches = places.map { "\($0) LIKE ?3 ESCAPE '\\'" }.joined(separator: " OR ")
    return "project = ?1 AND tenant = ?2 AND (\(matches))"
  }

  private func arguments(_ text: String) -> Arguments {
    guard !text.isEmpty else { return [projectId, tenantKey] }
    var pattern = "%"
    for character in text {
      if "%_\\".contains(character) { pattern += "\\" }
      pattern.append(character)
    }
    return [projectId, tenantKey, pattern + "%"]
  }
}
