#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a command cannot have a network of its own.
///
/// It is made in either of the two processes, and travels as text.
struct NamespaceFailure: Error, CustomStringConvertible {
  /// What was tried, as in "make a network namespace".
  let step: String
  /// The reason, as the system has it; nil where the system was not asked.
  let reason: String?

  init(_ step: String, reason: String? = nil) {
    self.step = step
    self.reason = reason
  }

  /// With the error that the last system call left behind.
  ///
  /// Must be the next thing after that call, as others may change `errno`.
  static func system(_ step: String, number: Int32 = errno) -> NamespaceFailure {
    NamespaceFailure(step, reason: String(cString: strerror(number)))
  }

  var description: String {
    "cannot \(step)" + (reason.map { ": \($0)" } ?? "")
  }
}
