import HearthWire

/// The body of a POST: messages numbered on from `first` within their session. It is a form: `ofs`
/// is `first`, `count` the number of messages, `req0___data__` the first of them.
struct ForwardBody {
  /// More is more than the client ever sends.
  static let mostMessages = 1000

  /// The call's headers, in the first POST of a session.
  var headers: [ChannelHeader]
  var first: Int
  /// `nil` where a number was given out but carries nothing.
  var messages: [String?]

  init?(parsing body: [UInt8]) {
    let fields = FormFields(parsing: String(decoding: body, as: UTF8.self))
    headers = HeaderLines.parse(fields["headers"] ?? "")
    guard let first = Self.number(fields["ofs"]), let count = Self.number(fields["count"]),
      count <= Self.mostMessages
    else { return nil }
    let values = Dictionary(fields.pairs.map { ($0.name, $0.value) }) { first, _ in first }
    self.first = first
    messages = (0..<count).map { values["req\($0)___data__"] }
  }

  private static func number(_ text: String?) -> Int? {
    guard let text else { return 0 }
    // Far from where adding a count could overflow.
    guard let number = Int(text), (0..<1 << 53).contains(number) else { return nil }
    return number
  }
}
