import HearthErrors
package import HearthTime
import HearthWire

/// Which messages of a project are meant. Every condition that is set must hold.
package struct MessageFilter: Sendable, Equatable {
  /// The exact address; upper and lower case are the same.
  package var recipient: String?
  /// The number of a phone as it is kept, where the recipient is one that is written in another way.
  var number: String? {
    guard let recipient, recipient.utf8.allSatisfy({ Self.partsOfNumbers.contains($0) }) else {
      return nil
    }
    var digits = recipient.filter(\.isNumber)
    if digits.hasPrefix("00") { digits.removeFirst(2) }
    guard (7...15).contains(digits.count) else { return nil }
    return "+" + digits == recipient ? nil : "+" + digits
  }

  private static let partsOfNumbers = Set("+0123456789 -().".utf8)

  /// Any of these; empty for all.
  package var types: [String]
  /// Only messages that came after this one.
  package var after: Int64?
  /// Only messages that came before this one.
  package var before: Int64?
  /// Only messages that were sent at this time or later.
  package var since: Timestamp?
  /// Only messages whose code is in this state now; nil for any.
  package var state: Message.State?
  /// Only this tenant's; the empty string for the project's own accounts.
  package var tenantId: String?
  package var delivery: Delivery
  package var search: MailSearch?

  /// Which messages are meant by what became of them.
  package enum Delivery: Sendable, Equatable {
    case any
    /// All but links that an administrator generated.
    case sent
    case state(MailDelivery.State)
  }

  package init(
    recipient: String? = nil, types: [String] = [], after: Int64? = nil, before: Int64? = nil,
    since: Timestamp? = nil, state: Message.State? = nil, tenantId: String? = nil,
    delivery: Delivery = .any, search: MailSearch? = nil
  ) {
    self.recipient = recipient?.lowercased()
    self.types = types
    self.after = after
    self.before = before
    self.since = since
    self.state = state
    self.tenantId = tenantId
    self.delivery = delivery
    self.search = search
  }
}

extension MessageFilter {
  static let parameters = [
    "to", "type", "after", "before", "since", "state", "tenantId", "delivery", "q",
  ]

  /// Reads the filter from a query string.
  ///
  /// A name that is not known is refused: a misspelt filter would match, and delete, too many
  /// messages.
  ///
  /// `standard` and `delivery` count where the query names none.
  init(
    _ query: FormFields, state standard: Message.State? = nil, delivery: Delivery = .any,
    alsoAllowing others: [String] = []
  ) throws(APIError) {
    let known = Self.parameters + others
    if let stranger = query.pairs.first(where: { !known.contains($0.name) && $0.name != "key" }) {
      throw APIError(
        .invalidArgument,
        detail: "unknown parameter \"\(stranger.name)\"; known are \(known.joined(separator: ", "))"
      )
    }
    if let recipient = query["to"], recipient.isEmpty {
      throw APIError(.invalidArgument, detail: "\"to\" is empty; leave it out to see all mail")
    }
    var after = try Self.number(query["after"], named: "after", in: 0...Int64.max)
    var since: Timestamp?
    switch try query["since"].map(Self.start) {
    case .message(let id): after = max(after ?? 0, id)
    case .time(let time): since = time
    case nil: break
    }
    self.init(
      recipient: query["to"], types: try Self.types(query["type"]), after: after,
      before: try Self.number(query["before"], named: "before", in: 1...Int64.max), since: since,
      state: try Self.state(query["state"], or: standard), tenantId: query["tenantId"],
      delivery: try Self.delivery(query["delivery"], or: delivery),
      search: try Self.search(query["q"]))
  }

  private static func delivery(
    _ text: String?, or standard: Delivery
  ) throws(APIError) -> Delivery {
    switch text {
    case nil: return standard
    case "any": return .any
    case "sent": return .sent
    case let text?:
      guard let state = MailDelivery.State(rawValue: text) else {
        let known = ["any", "sent"] + MailDelivery.State.allCases.map(\.rawValue)
        throw APIError(
          .invalidArgument,
          detail: "unknown delivery \"\(text)\"; known are \(known.joined(separator: ", "))")
      }
      return .state(state)
    }
  }

  /// Nil for a search without terms: it would match every message.
  private static func search(_ text: String?) throws(APIError) -> MailSearch? {
    guard let text else { return nil }
    let search = try MailSearch(text)
    return search.terms.isEmpty ? nil : search
  }

  private enum Start {
    case message(Int64)
    case time(Timestamp)
  }

  /// What `since` says: the id of a message, which itself does not count, or a time.
  private static func start(_ text: String) throws(APIError) -> Start {
    if let id = Int64(text), id >= 0 { return .message(id) }
    guard let time = Timestamp(iso8601: text) else {
      throw APIError(
        .invalidArgument,
        detail: "\"since\" must be the id of a message, or a time such as 2027-01-31T09:30:00Z")
    }
    return .time(time)
  }

  private static func state(
    _ text: String?, or standard: Message.State?
  ) throws(APIError) -> Message.State? {
    guard let text else { return standard }
    if text == "any" { return nil }
    guard let state = Message.State(rawValue: text) else {
      let known = Message.State.allCases.map(\.rawValue) + ["any"]
      throw APIError(
        .invalidArgument,
        detail: "unknown state \"\(text)\"; known are \(known.joined(separator: ", "))")
    }
    return state
  }

  private static func types(_ text: String?) throws(APIError) -> [String] {
    guard let text else { return [] }
    var types: [String] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let type = Message.type(named: String(name)) else {
        let known = Message.types.joined(separator: ", ")
        throw APIError(.invalidArgument, detail: "unknown type \"\(name)\"; known are \(known)")
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
      throw APIError(.invalidArgument, detail: "\"\(name)\" must be a whole number \(bounds)")
    }
    return number
  }
}

extension MessageFilter {
  /// `pending message to a@b.c`.
  var words: String { (state.map { $0.rawValue + " " } ?? "") + "message\(self)" }
}

extension MessageFilter: CustomStringConvertible {
  /// ` to a@b.c of type PASSWORD_RESET after 12`, to follow the word "message".
  package var description: String {
    var text = ""
    if let recipient { text += " to \(recipient)" }
    if !types.isEmpty {
      text += " of type " + types.joined(separator: " or ")
    }
    if let after { text += " after \(after)" }
    if let before { text += " before \(before)" }
    if let since { text += " since \(since.iso8601)" }
    if let tenantId { text += tenantId.isEmpty ? " outside tenants" : " in tenant \(tenantId)" }
    if let search { text += " matching \(search.text)" }
    return text
  }
}
