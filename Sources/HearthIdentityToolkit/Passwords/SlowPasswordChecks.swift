package import HearthErrors
package import HearthOperations
import HearthWire

/// Passwords that are checked against imported hashes, which takes too long for a transaction.
///
/// The first attempt at an answer ends at a check whose result is not known. The check is made
/// outside of the store, and the answer is tried again. A class, because it carries the results
/// from one attempt to the next.
package final class SlowPasswordChecks {
  private var results: [(password: String, stored: PasswordHash, isRight: Bool)] = []
  private var wanted: (password: String, stored: PasswordHash)?

  package init() {}

  /// - Throws: an error that undoes the attempt, where the result is not known yet.
  func isRight(_ password: String, stored: PasswordHash) throws(APIError) -> Bool {
    let known = results.first { $0.password.hasSameBytes(as: password) && $0.stored == stored }
    if let known { return known.isRight }
    wanted = (password, stored)
    throw APIError(.unavailable, detail: "the password has not been checked yet")
  }

  /// Makes the check that ended the last attempt.
  ///
  /// - Returns: whether there was one.
  package func makeWanted(on pool: WorkPool) async throws(APIError) -> Bool {
    guard let (password, stored) = wanted else { return false }
    wanted = nil
    let isRight = try await pool.run { stored.matches(password) }
    results.append((password, stored, isRight))
    return true
  }
}
