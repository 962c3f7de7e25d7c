package import HearthWire

/// What an operation wants done once its transaction has been committed.
package struct Outbox: Sendable {
  /// Lines for the console, word for word: scripts grep for them.
  package var lines: [String] = []
  package var warnings: [String] = []
  package var changes: [Change] = []
  /// For a functions emulator.
  package var userEvents: [JSON] = []

  package init() {}
}
