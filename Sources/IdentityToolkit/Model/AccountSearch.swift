import HearthCore
import HearthStore

/// Which accounts an `accounts:query` is after, and in which order.
///
/// The official emulator knows only "all, by id"; the rest is as production documents it.
struct AccountSearch {
  /// Any of these, where there are some.
  private let expressions: [(column: String, value: String)]
  private let order: String
  /// Negative for all.
  private let limit: Int64
  private let offset: Int64

  init(_ request: WireRequest) throws(APIError) {
    expressions = (request.array("expression") ?? []).flatMap(Self.conditions)
    let direction = request.string("order") == "DESC" ? "DESC" : "ASC"
    let key =
      switch request.string("sortBy") {
      case "NAME": "json_extract(record, '$.displayName')"
      case "CREATED_AT": "CAST(json_extract(record, '$.createdAt') AS INTEGER)"
      case "LAST_LOGIN_AT": "CAST(json_extract(record, '$.lastLoginAt') AS INTEGER)"
      case "USER_EMAIL": "email"
      default: "local_id"
      }
    order = "\(key) \(direction), local_id \(direction)"
    limit = try Self.number(request, "limit") ?? -1
    offset = try Self.number(request, "offset") ?? 0
  }

  private static func conditions(_ expression: JSON) -> [(column: String, value: String)] {
    var conditions: [(column: String, value: String)] = []
    if let email = (expression["email"]?.string).nonEmpty {
      conditions.append(("email", Formats.canonicalEmail(email)))
    }
    if let phone = (expression["phoneNumber"]?.string).nonEmpty {
      conditions.append(("phone_number", phone))
    }
    if let userId = (expression["userId"]?.string).nonEmpty {
      conditions.append(("local_id", userId))
    }
    return conditions
  }

  private static func number(_ request: WireRequest, _ field: String) throws(APIError) -> Int64? {
    guard let text = request.string(field).nonEmpty else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw APIError(.badArgument, "\(field) must be a whole number")
    }
    return number
  }

  fileprivate func statement(
    selecting columns: String, _ project: ProjectTransaction
  ) -> (sql: String, arguments: Arguments) {
    var sql = "SELECT \(columns) FROM users WHERE project = ? AND tenant = ?"
    var arguments: Arguments = [project.projectId, project.tenantKey]
    if !expressions.isEmpty {
      sql += " AND (" + expressions.map { "\($0.column) = ?" }.joined(separator: " OR ") + ")"
      arguments += Arguments(expressions.map(\.value))
    }
    return (sql, arguments)
  }

  fileprivate var tail: String { " ORDER BY \(order) LIMIT ? OFFSET ?" }
  fileprivate var tailArguments: Arguments { [limit, offset] }
}

extension ProjectTransaction {
  func count(_ search: AccountSearch) throws(APIError) -> Int {
    let (sql, arguments) = search.statement(selecting: "COUNT(*)", self)
    return try transaction.count(sql, arguments)
  }

  func users(_ search: AccountSearch) throws(APIError) -> [User] {
    let (sql, arguments) = search.statement(selecting: "record", self)
    return try transaction.all(sql + search.tail, arguments + search.tailArguments) {
      User(record: try JSON.parse($0[0] as String))
    }
  }
}
