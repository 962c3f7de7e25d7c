/// A time to wait, as people write it: `500ms`, `10s`, `2m`.
package struct WaitTime: Sendable, Equatable {
  package let duration: Duration

  package init?(_ text: String) {
    let units: [(suffix: String, milliseconds: Int64)] = [("ms", 1), ("s", 1000), ("m", 60_000)]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      let amount = Int64(text.dropLast(unit.suffix.count)), (0...1_000_000).contains(amount)
    else { return nil }
    duration = .milliseconds(amount * unit.milliseconds)
  }
}
