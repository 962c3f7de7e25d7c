import HearthFirestoreRules

/// What rules see as `request`, but for `auth`.
///
/// The members are those that the official emulator shows. `headers` is always empty there;
/// `writeFields` is of the first version of the rules, and is still shown.
struct RuleRequest {
  private(set) var members: [String: RuleValue]

  /// The time is in microseconds since the Unix epoch, the same as a server timestamp of the
  /// request.
  private init(_ method: RuleMethod, path: RuleValue?, auth: RuleValue, time: Int64) {
    let microseconds = time - time.quotientRoundingDown(by: 1_000_000) * 1_000_000
    members = [
      "auth": auth,
      "headers": .map([:]),
      "method": .string(method.rawValue),
      "time": .timestamp(
        seconds: time.quotientRoundingDown(by: 1_000_000),
        nanos: Int32(truncatingIfNeeded: microseconds * 1000)),
    ]
    // Without a path the member is missing, and reading it is an error of the rule.
    members["path"] = path
  }

  static func get(_ path: RuleValue, auth: RuleValue, time: Int64) -> RuleRequest {
    RuleRequest(.get, path: path, auth: auth, time: time).reading(nil)
  }

  /// Several collections have no common path.
  static func list(
    _ query: Query, path: RuleValue?, auth: RuleValue, time: Int64, as answers: RuleAnswers
  ) -> RuleRequest {
    var request = RuleRequest(.list, path: path, auth: auth, time: time).reading(query.projection)
    request.members["query"] = .map(query.ruleMembers(as: answers))
    return request
  }

  /// What a change shows, with the document as the commit leaves it. `inTransaction` is true for
  /// every write, as each is one of a commit.
  static func write(
    _ change: RuleChange, path: RuleValue, auth: RuleValue, time: Int64
  ) -> RuleRequest {
    var request = RuleRequest(change.method, path: path, auth: auth, time: time)
    let names = Self.names(change.mask, transforms: change.transforms)
    request.members["resource"] = change.after?.ruleValue ?? .null
    request.members["inTransaction"] = .bool(true)
    request.members["readFields"] = .null
    request.members["transforms"] = names.transformed
    request.members["writeFields"] = names.written
    return request
  }

  private func reading(_ fields: [FieldPath]?) -> RuleRequest {
    var request = self
    request.members["inTransaction"] = .bool(false)
    request.members["fields"] =
      fields.map { fields in .list(fields.filter { !$0.isDocumentName }.map(Self.name)) } ?? .null
    return request
  }

  /// What `writeFields` and `transforms` show; null where there is nothing of the kind.
  private static func names(
    _ mask: [FieldPath]?, transforms: [CheckedTransform]
  ) -> (written: RuleValue, transformed: RuleValue) {
    let transformed = transforms.map { name($0.path) }
    guard mask != nil || !transforms.isEmpty else { return (.null, .null) }
    return (
      .list(transformed + (mask ?? []).map(name)),
      transforms.isEmpty ? .null : .list(transformed)
    )
  }

  /// With a backslash before a dot that is part of a name.
  private static func name(_ field: FieldPath) -> RuleValue {
    .string(field.segments.map { $0.replacing(".", with: "\\.") }.joined(separator: "."))
  }
}

extension Query {
  /// What `request.query` shows; of the orders those that the client gave.
  fileprivate func ruleMembers(as answers: RuleAnswers) -> [String: RuleValue] {
    var members: [String: RuleValue] = [
      "limit": limit.map { .int(Int64($0)) } ?? .null, "offset": .int(Int64(offset)),
      "orderBy": .map(
        Dictionary(
          orders.prefix(explicitOrders).map {
            ($0.field.description, .string($0.isDescending ? "DESC" : "ASC"))
          }, uniquingKeysWith: { $1 })),
    ]
    // Production has at least one member more, whose name was not recorded: only a rule that
    // demands these three and no other can tell.
    if answers == .production { members["unnamed"] = .null }
    return members
  }
}
