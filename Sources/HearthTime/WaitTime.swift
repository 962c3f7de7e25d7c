/// A time to wait, as people write it: `500ms`, `10s`, `2m`, `PT10S`.
package struct WaitTime: Sendable, Equatable {
  /// As it was written.
  package let text: String
  package let duration: Duration

  package init?(_ text: String) {
    guard let duration = Duration(written: text), .zero <= duration, duration <= Self.longest
    else { return nil }
    self.text = text
    self.duration = duration
  }

  private static let longest = Duration.seconds(60_000_000)
}
