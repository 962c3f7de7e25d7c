/// How a listener signs the tokens that it mints.
package enum TokenMode: String, Sendable, CaseIterable {
  case rs256
  /// Unsigned, as the official emulator does, for the one SDK that insists on it.
  case none
}
