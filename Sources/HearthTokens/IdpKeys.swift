package import HearthTime
package import HearthWire
import Synchronization

/// The keys of identity providers, by issuer: from files, or from issuers that Hearth may call.
///
/// It owns what it has fetched, and may be called on any thread.
package final class IdpKeys: Sendable {
  /// The keys of an issuer, by their ids.
  package typealias Keys = [String: PublicKey]

  /// Reads the document at a URL, or says why it cannot.
  package typealias Fetch = @Sendable (_ url: String) async throws(Refusal) -> [UInt8]

  /// Where an issuer's keys are.
  package enum Source: Sendable {
    case file(Keys)
    /// The issuer is a URL that Hearth may call, whose discovery document names the keys.
    case discovery
  }

  /// Why an ID token is refused.
  package enum Refusal: Error, Sendable, Equatable {
    case malformed, algorithm, unknownIssuer(String), unknownKey, signature, expired, notYetValid
    case unreachable(String)

    package var description: String {
      switch self {
      case .malformed: "Unable to parse the ID Token."
      case .algorithm: "Unable to verify the ID Token signature: RS256 is expected."
      case .unknownIssuer(let name):
        "The issuer in ID Token \(name.prefix(200)) is not one whose keys are configured (--idp-keys)."
      case .unknownKey: "Unable to verify the ID Token signature: its issuer has no such key."
      case .signature: "Unable to verify the ID Token signature."
      case .expired: "ID Token is stale to sign-in: it has expired."
      case .notYetValid: "ID Token is stale to sign-in: it was issued in the future."
      case .unreachable(let reason): "The keys of the ID Token's issuer cannot be read: \(reason)"
      }
    }
  }

  private struct Fetched {
    let keys: Keys
    let at: Timestamp
  }

  package static let none = IdpKeys([:], clock: SystemClock()) { url throws(Refusal) in
    throw .unreachable("\(url.prefix(200)) is not called")
  }

  private static let mostKeys = 100
  private static let longestDocument = 1 << 20
  private static let leeway: Int64 = 300
  /// How soon keys are fetched again for an unknown key id, in seconds.
  private static let retryAfter: Int64 = 10

  private let sources: [String: Source]
  private let clock: any HearthClock
  private let fetch: Fetch
  private let fetched = Mutex<[String: Fetched]>([:])

  package init(
    _ sources: [String: Source], clock: any HearthClock, fetch: @escaping Fetch
  ) {
    self.sources = sources
    self.clock = clock
    self.fetch = fetch
  }

  package var isEmpty: Bool { sources.isEmpty }

  /// The keys of a JWKS; nil for what is not one.
  package static func keys(_ document: [UInt8]) -> Keys? {
    guard document.count <= longestDocument, let entries = try? JSON.parse(document)["keys"]?.array
    else { return nil }
    var keys: Keys = [:]
    for entry in entries.prefix(mostKeys) {
      guard let id = entry["kid"]?.string, let key = PublicKey(jwk: entry) else { continue }
      keys[id] = key
    }
    return keys
  }

  /// Verifies signature, issuer and times of an ID token. The rest is the caller's to check.
  /// The token has to be valid at one of the times.
  package func verify(
    _ text: String, at times: [Timestamp]
  ) async throws(Refusal) -> JSONObject {
    guard let jwt = JWT(text) else { throw .malformed }
    guard jwt.algorithm == "RS256" else { throw .algorithm }
    let issuer = jwt.claims["iss"]?.string ?? ""
    guard let source = sources[issuer] else { throw .unknownIssuer(issuer) }
    let keys: Keys
    switch source {
    case .file(let known): keys = known
    case .discovery: keys = try await discovered(issuer, for: jwt.keyID)
    }
    guard let key = jwt.keyID.flatMap({ keys[$0] }) else { throw .unknownKey }
    guard key.verify(jwt.signature, of: jwt.signingInput) else { throw .signature }
    try Self.check(jwt.claims, at: times)
    return jwt.claims
  }

  private static func check(_ claims: JSONObject, at times: [Timestamp]) throws(Refusal) {
    let range = 0..<Int64(UInt32.max) * 2
    guard let expiry = claims["exp"]?.integer, let issued = claims["iat"]?.integer,
      range.contains(expiry), range.contains(issued)
    else { throw .expired }
    if times.contains(where: { expiry > $0.seconds && issued <= $0.seconds + leeway }) { return }
    throw times.contains { expiry > $0.seconds } ? .notYetValid : .expired
  }

  // MARK: Discovery

  private func discovered(_ issuer: String, for keyID: String?) async throws(Refusal) -> Keys {
    let now = clock.now
    if let known = fetched.withLock({ $0[issuer] }) {
      let isRecent = known.at.seconds + Self.retryAfter > now.seconds
      if isRecent || keyID.map({ known.keys[$0] != nil }) == true { return known.keys }
    }
    let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    let discovery = try await document(base + "/.well-known/openid-configuration")
    guard let json = try? JSON.parse(discovery), json["issuer"]?.string == issuer,
      let address = json["jwks_uri"]?.string
    else { throw .unreachable("its discovery document does not name it") }
    guard let keys = Self.keys(try await document(address)) else {
      throw .unreachable("\(address.prefix(200)) is not a JSON Web Key Set")
    }
    fetched.withLock { $0[issuer] = Fetched(keys: keys, at: now) }
    return keys
  }

  private func document(_ address: String) async throws(Refusal) -> [UInt8] {
    let document = try await fetch(address)
    guard document.count <= Self.longestDocument else {
      throw .unreachable("\(address.prefix(200)) answers more than 1 MiB")
    }
    return document
  }
}
