package import HearthErrors

/// Work that may be done in one transaction with that of others.
///
/// Where one of them has to be undone all are, and each is done again in a transaction of its own.
/// So an attempt may run twice. That does no harm: it is `@Sendable`, so it cannot change what it
/// captured, and what it found out is used by `conclude` alone, which runs once. A savepoint for
/// each would spare the second attempt, and costs each operation what sharing saves: record 0023.
///
/// `Store.run` calls its closures on the calling thread, while it has the connection.
package struct SharedWork: Sendable {
  /// How the work has gone.
  package struct Attempt {
    /// Whether what it wrote is to stay.
    let isKept: Bool
    /// Whether the database could not do what it was to do, and perhaps can in another transaction.
    let isFault: Bool
    let conclude: () -> Void

    /// - Parameters:
    ///   - result: what has come of it.
    ///   - conclude: called once, for one attempt only, when what it wrote has been committed or
    ///     undone.
    package init<Value>(_ result: Result<Value, APIError>, conclude: @escaping () -> Void) {
      isKept = result.isKept
      isFault = if case .failure(let error) = result { error.code == .internalError } else { false }
      self.conclude = conclude
    }
  }

  let attempt: @Sendable (Transaction) -> Attempt
  let fail: @Sendable (APIError) -> Void

  /// - Parameters:
  ///   - attempt: does the work. It may be called a second time, when all that it wrote has been
  ///     undone, and changes nothing but the transaction.
  ///   - fail: called in place of an attempt's `conclude` where the database fails.
  package init(
    _ attempt: @escaping @Sendable (Transaction) -> Attempt,
    failing fail: @escaping @Sendable (APIError) -> Void
  ) {
    self.attempt = attempt
    self.fail = fail
  }
}
