package import HearthOperations
package import HearthServiceAccounts
package import HearthTime
package import HearthTokens

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// The service account that counts, and the one that Hearth makes up where no file names one.
  package func serviceAccounts(_ clock: any HearthClock) throws -> ServiceAccounts {
    let file = try serviceAccountPath.map { (path) throws in
      try ServiceAccountFile(reading: path, now: clock.now)
    }
    return ServiceAccounts(
      project: project, account: file?.account, acceptsAny: acceptsAnyServiceAccount, clock: clock)
  }

  /// Nil outside of the mode.
  package func googleMode(_ accounts: ServiceAccounts) -> GoogleMode? {
    guard asGoogle else { return nil }
    // The file of its key is wanted before anybody calls.
    accounts.prepare()
    return GoogleMode(
      defaultProject: project, authDomain: authDomains.first, publicURL: publicURL,
      serviceAccounts: accounts)
  }

  /// The keys of identity providers.
  package func idpKeys(
    _ clock: any HearthClock, caller: any FunctionCaller
  ) throws(ConfigurationError) -> IdpKeys {
    guard !idpKeys.isEmpty else { return .none }
    var sources: [String: IdpKeys.Source] = [:]
    for value in idpKeys {
      guard let mark = value.firstIndex(of: "=") else {
        do throws(OutgoingHosts.Refusal) {
          try outgoingHosts.check(value)
        } catch {
          throw ConfigurationError(
            "--idp-keys: \(value) \(error.description); a file is named as ISSUER=FILE")
        }
        sources[value] = .discovery
        continue
      }
      let path = String(value[value.index(after: mark)...])
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw ConfigurationError("--idp-keys: cannot read \(path)")
      }
      guard let keys = IdpKeys.keys(Array(text.utf8)), !keys.isEmpty else {
        throw ConfigurationError("--idp-keys: \(path) is not a JSON Web Key Set with RSA keys")
      }
      sources[String(value[..<mark])] = .file(keys)
    }
    return IdpKeys(sources, clock: clock) { url throws(IdpKeys.Refusal) in
      do throws(FunctionFailure) {
        let request = FunctionRequest("GET", url: url, headers: [("Accept", "application/json")])
        let reply = try await caller.send(request, within: .seconds(5))
        guard reply.isSuccess else {
          throw FunctionFailure.unreachable(reason: "HTTP status \(reply.status)")
        }
        return reply.body
      } catch {
        switch error {
        case .refused(let refusal): throw .unreachable("\(url.prefix(200)) \(refusal)")
        case .timedOut, .unreachable: throw .unreachable("\(url.prefix(200)) does not answer")
        }
      }
    }
  }
}
