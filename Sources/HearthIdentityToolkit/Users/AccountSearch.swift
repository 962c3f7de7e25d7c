import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Which accounts an `accounts:query` is after.
///
/// The official emulator knows only "all, by id"; the rest is as production documents it.
struct AccountSearch {
  /// Fewer than a statement of SQLite may have.
  private static let most = 10_000

  /// Any of these, where there are some.
  private let expressions: [(column: String, value: String)]

  init(_ wire: WireRequest) throws(APIError) {
    expressions = (wire.array("expression") ?? []).flatMap(Self.conditions)
    guard expressions.count <= Self.most else {
      throw APIError(
        .invalidArgument, detail: "expression must have at most \(Self.most) conditions")
    }
  }

  private init(_ expressions: [(column: String, value: String)]) {
    self.expressions = expressions
  }

  /// The search as production understands it: the first condition counts, and an address before a
  /// number before an id.
  var first: AccountSearch { AccountSearch(Array(expressions.prefix(1))) }

  private static func conditions(_ expression: JSON) -> [(column: String, value: String)] {
    var conditions: [(column: String, value: String)] = []
    if let email = (expression["email"]?.string).nonEmpty {
      conditions.append(("email", Email(unchecked: email).text))
    }
    if let phone = (expression["phoneNumber"]?.string).nonEmpty {
      conditions.append(("phone_number", phone))
    }
    if let userId = (expression["userId"]?.string).nonEmpty {
      conditions.append(("local_id", userId))
    }
    return conditions
  }

  fileprivate func statement(
    selecting columns: String, _ project: ProjectTransaction
  ) -> (sql: String, arguments: Arguments) {
    var sql = "SELECT \(columns) FROM users WHERE project = ? AND tenant = ?"
    var arguments: Arguments = [project.projectId, project.tenantKey]
    if !expressions.isEmpty {
      // A chain of comparisons would be too deep for SQLite.
      let columns = Dictionary(grouping: expressions) { $0.column }.sorted { $0.key < $1.key }
      let tests = columns.map { column, expressions in
        "\(column) IN (\(expressions.map { _ in "?" }.joined(separator: ", ")))"
      }
      sql += " AND (" + tests.joined(separator: " OR ") + ")"
      for (_, expressions) in columns { arguments += Arguments(expressions.map(\.value)) }
    }
    return (sql, arguments)
  }
}

/// In which order the accounts of a search come, and how many of them.
struct AccountOrder {
  private let isById: Bool
  private let descends: Bool
  private let tiesDescend: Bool
  private let tieKey: String
  private let key: String
  /// Negative for all.
  private let limit: Int64
  private let offset: Int64

  /// What a request says of it.
  struct Request: Sendable {
    let descends: Bool
    let sortBy: Key?
    let limit: String?
    let offset: String?

    enum Key: String {
      case name = "NAME"
      case createdAt = "CREATED_AT"
      case lastLoginAt = "LAST_LOGIN_AT"
      case email = "USER_EMAIL"
    }

    init(_ wire: WireRequest) {
      descends = wire.string("order") == "DESC"
      sortBy = wire.string("sortBy").flatMap(Key.init)
      limit = wire.string("limit")
      offset = wire.string("offset")
    }
  }

  /// Production breaks ties and judges numbers in its own way.
  init(_ request: Request, as answers: Switches.Program) throws(APIError) {
    descends = request.descends
    let refuse: (_ field: String) -> APIError
    switch answers {
    case .emulator:
      tiesDescend = request.descends
      tieKey = "local_id"
      refuse = { APIError(.badArgument, detail: "\($0) must be a whole number") }
    case .production:
      let isByTime = request.sortBy == .createdAt
      tiesDescend = request.descends && (request.sortBy == nil || isByTime)
      tieKey = isByTime ? "rowid" : "local_id"
      // Observed, and no more is known of it.
      refuse = { _ in APIError(.internalError) }
    }
    key =
      switch request.sortBy {
      case .name?: "json_extract(record, '$.displayName')"
      case .createdAt?: "CAST(json_extract(record, '$.createdAt') AS INTEGER)"
      case .lastLoginAt?: "CAST(json_extract(record, '$.lastLoginAt') AS INTEGER)"
      case .email?: "email"
      case nil: "local_id"
      }
    isById = request.sortBy == nil
    limit = try Self.number(request.limit, orElse: refuse("limit")) ?? -1
    offset = try Self.number(request.offset, orElse: refuse("offset")) ?? 0
  }

  private static func number(
    _ text: String?, orElse refusal: @autoclosure () -> APIError
  ) throws(APIError) -> Int64? {
    guard let text = text.nonEmpty else { return nil }
    guard let number = Int64(text), number >= 0 else { throw refusal() }
    return number
  }

  fileprivate var sql: String {
    let direction = descends ? "DESC" : "ASC"
    let ties = tiesDescend ? "DESC" : "ASC"
    return " ORDER BY \(key) \(direction), \(tieKey) \(ties) LIMIT ? OFFSET ?"
  }

  fileprivate var arguments: Arguments { [limit, offset] }

  /// The official emulator compares ids by UTF-16 units, and the store by bytes of UTF-8. They
  /// differ on what lies beyond U+FFFF only, so there is next to nothing to sort. A part of the
  /// accounts, which that emulator has no notion of, is cut out by the store and stays as it is.
  fileprivate func sort(_ users: inout [User]) {
    guard isById, limit < 0, offset == 0 else { return }
    users.sort {
      descends
        ? $1.localId.utf16.lexicographicallyPrecedes($0.localId.utf16)
        : $0.localId.utf16.lexicographicallyPrecedes($1.localId.utf16)
    }
  }
}

extension Accounts {
  func count(_ search: AccountSearch) throws(APIError) -> Int {
    let (sql, arguments) = search.statement(selecting: "COUNT(*)", project)
    return try transaction.count(sql, arguments: arguments)
  }

  func users(_ search: AccountSearch, order: AccountOrder) throws(APIError) -> [User] {
    let (sql, arguments) = search.statement(selecting: "record", project)
    var users = try transaction.all(sql + order.sql, arguments: arguments + order.arguments) {
      User(record: try JSON.parse($0[0] as String))
    }
    order.sort(&users)
    return users
  }
}
