package import HearthTime
import HearthWire

/// A time of an account: milliseconds or seconds since 1970, which the wire writes as text.
///
/// Administrators may set any text. What is not a number in its usual spelling is kept as it came.
package enum AccountTime: Sendable, Equatable {
  case number(Int64)
  case verbatim(String)

  init(_ text: String) {
    guard let number = Int64(text), String(number) == text else {
      self = .verbatim(text)
      return
    }
    self = .number(number)
  }

  package static func milliseconds(of time: Timestamp) -> AccountTime { .number(time.milliseconds) }
  package static func seconds(of time: Timestamp) -> AccountTime { .number(time.seconds) }

  var text: String {
    switch self {
    case .number(let number): String(number)
    case .verbatim(let text): text
    }
  }

  /// The number, also in a spelling such as `+5` or `007`.
  package var number: Int64? {
    switch self {
    case .number(let number): number
    case .verbatim(let text): Int64(text)
    }
  }

  /// The number, which may have a fraction or an exponent.
  var fractionalNumber: Double? {
    switch self {
    case .number(let number): Double(number)
    case .verbatim(let text): Double(text)
    }
  }
}

extension Optional where Wrapped == AccountTime {
  /// The time as JSON, or nothing, so that an answer leaves the key out.
  var json: JSON? { map { .string($0.text) } }
}
