import HearthOperations

extension Configuration {
  /// Where this server makes HTTP requests by itself. The functions emulator is named with a flag of
  /// its own.
  var outgoingHosts: OutgoingHosts {
    OutgoingHosts(allowed: allowedCallHosts + [functionsAddress].compactMap { $0 })
  }
}
