import HearthOperations
import Synchronization

/// Hears what the queries of a call miss although they are answered, as JSON text.
package typealias MissedIndexHearer = @Sendable (String) -> Void

/// Collects what the queries of one call miss although they are answered.
///
/// A query is judged far below the place that notes its call, and most calls have no query. So the
/// hearer is a value of the task, and nobody else hands it on. A class because the call's task writes
/// what its caller reads.
package final class MissedIndexes: Sendable {
  @TaskLocal private static var hearer: MissedIndexHearer?

  private let text = Mutex<String?>(nil)

  package init() {}

  /// What the first query has missed; nil where nothing is missing.
  package var explanation: String? { text.withLock(\.self) }

  /// Carries out a call, and collects what it misses.
  package func collect<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> Answer
  ) async rethrows -> Answer {
    try await Self.hear({ missing in self.text.withLock { $0 = $0 ?? missing } }, during: call)
  }

  /// Carries out a call that may go on for hours.
  package static func hear<Answer>(
    _ hearer: @escaping MissedIndexHearer, isolation: isolated (any Actor)? = #isolation,
    during call: () async throws -> Answer
  ) async rethrows -> Answer {
    try await $hearer.withValue(hearer, operation: call)
  }

  /// To be called with a query that is answered although it misses an index.
  static func note(_ explanation: () -> String) {
    hearer?(explanation())
  }
}
