extension Duration {
  /// Reads a duration as people write it (`500ms`, `10s`, `2h`, `1d12h`), or as ISO 8601 does
  /// (`PT2H`). A sign may precede either.
  package init?(written text: String) {
    guard let duration = Self.short(text) ?? ISODuration.parse(text) else { return nil }
    self = duration
  }

  /// The units, from long to short: each once, and in this order.
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  private static func short(_ text: String) -> Duration? {
    var rest = text[...]
    let isNegative = rest.hasPrefix("-")
    if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var units = Self.units[...]
    var milliseconds: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      let name = rest.dropFirst(digits.count).prefix { ("a"..."z").contains($0) }
      guard digits.count <= 12, let amount = Int64(digits),
        let index = units.firstIndex(where: { $0.name == name })
      else { return nil }
      let (product, overflows) = amount.multipliedReportingOverflow(by: units[index].milliseconds)
      guard !overflows, product <= ISODuration.longest else { return nil }
      milliseconds += product
      units = units[(index + 1)...]
      rest = rest[name.endIndex...]
    }
    guard milliseconds <= ISODuration.longest else { return nil }
    return .milliseconds(isNegative ? -milliseconds : milliseconds)
  }
}
