import HearthTime
import HearthWire

/// How long something holds, as people write it: `90s`, `15m`, `1h`, `30d`.
struct TokenLifetime: Sendable, Equatable {
  package let seconds: Int64

  private static let units: [(suffix: Character, seconds: Int64, name: String)] = [
    ("d", 86_400, "day"), ("h", 3_600, "hour"), ("m", 60, "minute"), ("s", 1, "second"),
  ]

  init(seconds: Int64) { self.seconds = seconds }

  init?(_ text: String) {
    guard let unit = Self.units.first(where: { $0.suffix == text.last }),
      text.dropLast().utf8.allSatisfy(\.isASCIIDigit),
      let amount = Int64(text.dropLast()), (1...100_000).contains(amount)
    else { return nil }
    seconds = amount * unit.seconds
  }

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    guard let time = value.json.string.flatMap(TokenLifetime.init),
      time.seconds <= 3_650 * 86_400
    else {
      throw value.fault("must be a time of at most ten years, such as 90s, 15m, 1h or 30d")
    }
    self = time
  }

  func end(from start: Timestamp) -> Timestamp { start + .seconds(seconds) }

  var minutes: Int64 { (seconds + 59) / 60 }

  /// `1 hour`, `90 minutes`, for mails.
  var words: String {
    let unit = Self.units.first { seconds % $0.seconds == 0 }
    let amount = seconds / (unit?.seconds ?? 1)
    return "\(amount) \(unit?.name ?? "second")\(amount == 1 ? "" : "s")"
  }
}
