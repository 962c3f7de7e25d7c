/// Why an expression has no value. It makes its condition false, unless `&&` or `||` absorbs it.
struct EvaluationError: Error, CustomStringConvertible {
  let message: String
  /// The innermost expression that failed, set on the way out.
  var position: SourcePosition?
  /// A limit is exceeded: nothing absorbs that, the whole request is denied.
  let exceedsLimit: Bool

  init(_ message: String, exceedsLimit: Bool = false) {
    self.message = message
    self.exceedsLimit = exceedsLimit
  }

  var description: String { message }
}
