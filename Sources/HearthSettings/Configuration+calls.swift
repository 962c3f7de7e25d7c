package import HearthOperations

extension Configuration {
  /// Where this server makes HTTP requests by itself. The functions emulator is named with a flag of
  /// its own.
  package var outgoingHosts: OutgoingHosts {
    // What else runs on the machine of a shared server is not for those who share it.
    OutgoingHosts(
      allowed: allowedCallHosts + [functionsAddress].compactMap { $0 },
      allowsThisMachine: !requiresToken)
  }
}
