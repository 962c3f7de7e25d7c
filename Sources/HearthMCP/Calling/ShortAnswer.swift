import HearthWire

/// The answer of a tool in few bytes. It stays JSON where something has to be left out, because
/// programs read it, too.
struct ShortAnswer {
  /// Bytes of the longest answer.
  static let longest = 16_000
  /// For the member that says what is missing.
  private static let room = 300

  let text: String

  init(_ answer: JSON) {
    let whole = answer.text
    guard whole.utf8.count > Self.longest else {
      text = whole
      return
    }
    text = Self.shortened(answer, bytes: whole.utf8.count) ?? Self.start(of: whole)
  }

  /// Without the last items of the longest array; nil where that is not enough.
  private static func shortened(_ answer: JSON, bytes: Int) -> String? {
    guard var object = answer.object else { return nil }
    let arrays = object.members.compactMap { member in
      member.value.array.map { (key: member.key, sizes: $0.map { $0.bytes.count + 1 }, items: $0) }
    }
    let sums = arrays.map { ($0, $0.sizes.reduce(0, +)) }
    guard let (longestArray, sum) = sums.max(by: { $0.1 < $1.1 }) else { return nil }
    var left = longest - room - (bytes - sum)
    let kept = longestArray.sizes.prefix { size in
      left -= size
      return left >= 0
    }.count
    guard kept > 0 else { return nil }
    let count = longestArray.items.count
    object[longestArray.key] = .array(Array(longestArray.items.prefix(kept)))
    object["cut"] = .string(
      "The last \(count - kept) of \(count) \(longestArray.key) are left out. \(advice)")
    return JSON.object(object).text
  }

  private static let advice = "Ask for less: a smaller limit, or one item by its id."

  /// The start of the answer as a text.
  private static func start(of whole: String) -> String {
    var length = longest - room
    while true {
      let answer: JSON = [
        "cut": .string("The answer has \(whole.utf8.count) bytes; this is its start. \(advice)"),
        "start": .string(whole.shortened(to: length)),
      ]
      let text = answer.text
      // Quotes take two bytes in a text.
      if text.utf8.count <= longest { return text }
      length -= length / 4
    }
  }
}
