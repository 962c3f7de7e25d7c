import HearthServer
import HearthSettings

/// Why a command ends with status 1.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A flag or a value that cannot be used: status 64, as for flags that do not exist.
struct Misuse: Error, CustomStringConvertible {
  static let status: Int32 = 64

  let description: String

  init(_ description: String) { self.description = description }

  /// Nil for errors of another kind.
  init?(_ error: any Error) {
    switch error {
    case let error as Misuse: self = error
    case let error as ConfigurationError where error.isMisuse: description = error.description
    default: return nil
    }
  }
}
