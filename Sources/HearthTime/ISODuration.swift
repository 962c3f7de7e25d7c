/// Durations as ISO 8601 writes them: `PT2H`, `P1DT30M`, `-PT10S`.
package enum ISODuration {
  /// Nil for what is not a duration, or one of months and years, whose length differs.
  package static func parse(_ text: String) -> Duration? {
    var rest = text[...]
    let isNegative = rest.hasPrefix("-")
    if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
    guard rest.hasPrefix("P"), rest.count > 2 else { return nil }
    rest = rest.dropFirst()
    var milliseconds = 0.0
    var isTime = false
    var number = ""
    // Each unit once, and in this order.
    var units = [("W", false), ("D", false), ("H", true), ("M", true), ("S", true)][...]
    for character in rest {
      switch character {
      case "T" where number.isEmpty && !isTime: isTime = true
      case "0"..."9": number.append(character)
      case "." where !number.isEmpty && !number.contains("."): number.append(character)
      default:
        guard let found = units.firstIndex(where: { $0 == (String(character), isTime) }),
          let value = Double(number), !number.hasSuffix(".")
        else { return nil }
        milliseconds += value * length(of: units[found].0)
        units = units[(found + 1)...]
        number = ""
      }
    }
    guard number.isEmpty, rest.last != "T", milliseconds <= Double(longest) else { return nil }
    return .milliseconds(Int64(isNegative ? -milliseconds : milliseconds))
  }

  /// Ten thousand years.
  static let longest: Int64 = 10_000 * 36525 * 864_000

  private static func length(of unit: String) -> Double {
    switch unit {
    case "W": 7 * 86_400_000
    case "D": 86_400_000
    case "H": 3_600_000
    case "M": 60_000
    default: 1000
    }
  }

  package static func text(milliseconds: Int64) -> String {
    guard milliseconds != 0 else { return "PT0S" }
    let magnitude = milliseconds.magnitude
    let days = magnitude / 86_400_000
    let hours = magnitude / 3_600_000 % 24
    let minutes = magnitude / 60_000 % 60
    let seconds = Double(magnitude % 60_000) / 1000
    var text = milliseconds < 0 ? "-P" : "P"
    if days > 0 { text += "\(days)D" }
    if hours > 0 || minutes > 0 || seconds > 0 { text += "T" }
    if hours > 0 { text += "\(hours)H" }
    if minutes > 0 { text += "\(minutes)M" }
    if seconds > 0 {
      text += seconds == seconds.rounded() ? "\(Int(seconds))S" : "\(seconds)S"
    }
    return text
  }
}
