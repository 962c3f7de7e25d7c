/// What happens when a request names another project than the one that the server was started for.
package enum SingleProjectMode: String, Sendable, CaseIterable {
  /// Serve it silently.
  case noWarning = "no-warning"
  /// Serve it, and say so once for each project that a person has named.
  case warning
  /// Refuse it.
  case error
}
