import HearthOperations
import HearthSettings
import HearthTime
import HearthTokens
import HearthTransport

extension ServerFacts {
  /// - Throws: ``ConfigurationError`` where a key or a service account cannot be read.
  convenience init(
    _ configuration: Configuration, network: LocalNetwork?, clock: any HearthClock
  ) throws {
    let accounts = try configuration.serviceAccounts(clock)
    self.init(
      defaultProject: configuration.project, initialSwitches: configuration.initialSwitches,
      clock: clock, functions: FunctionsClient.functions(configuration.outgoingHosts),
      sendsUserEvents: configuration.functionsAddress != nil,
      functionsAddress: configuration.functionsAddress,
      exportsReadablePasswords: configuration.exportsReadablePasswords,
      mailboxBytes: configuration.limits.mailbox, serviceAccounts: accounts,
      google: configuration.googleMode(accounts),
      idpKeys: try configuration.idpKeys(
        clock, caller: FunctionsClient.events(configuration.outgoingHosts)),
      networkDomains: network?.names ?? [],
      issuesUnsignedTokens: configuration.tokens == .none || configuration.unsignedAuthPort != nil,
      dataDirectory: configuration.dataDirectory)
  }
}
