import HearthCore

/// Which messages of a project are meant. Every condition that is set must hold.
package struct MessageFilter: Sendable, Equatable {
  /// The exact address; upper and lower case are the same.
  package var recipient: String?
  /// Any of these; empty for all.
  package var types: [String]
  /// Only messages that came after this one.
  package var after: Int64?
  /// Only this tenant's; the empty string for the project's own accounts.
  package var tenantId: String?

  package init(
    recipient: String? = nil, types: [String] = [], after: Int64? = nil, tenantId: String? = nil
  ) {
    self.recipient = recipient?.lowercased()
    self.types = types
    self.after = after
    self.tenantId = tenantId
  }
}

extension MessageFilter {
  static let parameters = ["to", "type", "after", "tenantId"]

  /// Reads the filter from a query string.
  ///
  /// A name that is not known is refused: a misspelt filter would delete, or hand out, the mail of
  /// somebody else.
  init(_ query: FormFields, alsoAllowing others: [String] = []) throws(APIError) {
    let known = Self.parameters + others
    if let stranger = query.pairs.first(where: { !known.contains($0.name) && $0.name != "key" }) {
      throw APIError(
        .invalidArgument,
        "unknown parameter \"\(stranger.name)\"; known are \(known.joined(separator: ", "))")
    }
    if let recipient = query["to"], recipient.isEmpty {
      throw APIError(.invalidArgument, "\"to\" is empty; leave it out to see everybody's mail")
    }
    self.init(
      recipient: query["to"], types: try Self.types(query["type"]),
      after: try Self.number(query["after"], named: "after", in: 0...Int64.max),
      tenantId: query["tenantId"])
  }

  private static func types(_ text: String?) throws(APIError) -> [String] {
    guard let text else { return [] }
    var types: [String] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      let type = name.uppercased()
      guard Message.types.contains(type) else {
        let known = Message.types.joined(separator: ", ")
        throw APIError(.invalidArgument, "unknown type \"\(name)\"; known are \(known)")
      }
      if !types.contains(type) { types.append(type) }
    }
    return types
  }

  /// A whole number of the query, or nil when it is not given.
  static func number(
    _ text: String?, named name: String, in range: ClosedRange<Int64>
  ) throws(APIError) -> Int64? {
    guard let text else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw APIError(.invalidArgument, "\"\(name)\" must be a whole number \(bounds)")
    }
    return number
  }
}

extension MessageFilter: CustomStringConvertible {
  /// ` to a@b.c of type PASSWORD_RESET after 12`, to go behind "message".
  package var description: String {
    var text = ""
    if let recipient { text += " to \(recipient)" }
    if !types.isEmpty {
      text += " of type " + types.joined(separator: " or ")
    }
    if let after { text += " after \(after)" }
    if let tenantId { text += tenantId.isEmpty ? " outside tenants" : " in tenant \(tenantId)" }
    return text
  }
}
