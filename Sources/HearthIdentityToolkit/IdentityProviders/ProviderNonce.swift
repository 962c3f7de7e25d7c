import HearthCrypto
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTokens
import HearthWire

/// The nonce of an ID token, as production checks it: the client sends a text whose hash is in the token,
/// and each counts once.
struct ProviderNonce {
  private let providerId: String
  /// In the token.
  private let hash: String
  /// What the client has sent; nil for nothing.
  private let raw: String?

  /// Nil where the request brings no token with a nonce. A token within a pending one was checked when
  /// it came.
  init?(_ request: SignInWithIdp.Request, url: WebURL, provider: String) {
    let inputs = IdpCredential.inputs(of: url, postBody: request.postBody, pendingToken: nil)
    guard let token = inputs["id_token"].nonEmpty else { return nil }
    let claims = JWT(token)?.claims ?? (try? JSON.parse(token))?.object
    // An ID token of Facebook's is one of Limited Login, which never goes without.
    let told = claims?["nonce"]?.string.nonEmpty
    guard let hash = provider == "facebook.com" ? told ?? "" : told else { return nil }
    providerId = provider
    self.hash = hash
    raw = inputs["nonce"].nonEmpty
  }

  /// Checks it, and takes note that it was used. The note has to stay where the sign-in is refused for
  /// an account that somebody has.
  func redeem(_ project: ProjectTransaction, context: Context) throws(APIError) {
    // Observed: that a nonce was used is said first, whatever the client has sent with it.
    if raw != nil, !hash.isEmpty {
      let isFirst = try ProviderNonces(in: project).isFirstUse(
        ofNonce: hash, providerId: providerId, context: context)
      guard isFirst else {
        throw APIError(
          .missingOrInvalidNonce,
          detail: "Duplicate credential received. Please try again with a new credential.")
      }
    }
    try check()
  }

  /// Checks it, however often it was used.
  func check() throws(APIError) { try Self.check(raw, matching: hash) }

  /// Checks that the hash of what the client has sent is the one in the token.
  static func check(_ raw: String?, matching hash: String) throws(APIError) {
    guard let raw else {
      throw APIError(.missingOrInvalidNonce, detail: "Nonce is missing in the request.")
    }
    let digest = String(decoding: Digest.sha256.hash(Array(raw.utf8)).hexDigits, as: UTF8.self)
    guard ConstantTime.equal(hash, digest) else {
      throw APIError(
        .missingOrInvalidNonce,
        detail: "The nonce in ID Token \"\(hash)\" does not match the SHA256 hash of the raw nonce "
          + "\"\(raw)\" in the request.")
    }
  }
}

/// The nonces that were used.
struct ProviderNonces: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }
}

extension ProviderNonces {
  private static let nonceKind = "providerNonce"
  /// Older ones count again: nobody sends a token as late as that.
  private static let mostNonces = 10_000

  /// Notes the hash of a nonce in hexadecimal digits; false where it is noted already.
  fileprivate func isFirstUse(
    ofNonce hash: String, providerId: String, context: Context
  ) throws(APIError) -> Bool {
    let key: Arguments = [projectId, tenantKey, Self.nonceKind]
    let subject = "\(providerId):\(hash)"
    let isKnown = try transaction.first(
      "SELECT 1 FROM attempts WHERE project = ? AND tenant = ? AND kind = ? AND subject = ?",
      arguments: key + [subject]
    ) { _ in true }
    guard isKnown == nil else { return false }
    try transaction.execute(
      """
      INSERT INTO attempts (project, tenant, kind, subject, started_at, count)
      VALUES (?, ?, ?, ?, ?, 1)
      """, arguments: key + [subject, context.now.seconds])
    // To look at all of them takes a while, so it is done for one in some hundred.
    if hash.hasPrefix("00") { try dropOldNonces(key) }
    return true
  }

  private func dropOldNonces(_ key: Arguments) throws(APIError) {
    try transaction.execute(
      """
      DELETE FROM attempts WHERE project = ? AND tenant = ? AND kind = ?
        AND (started_at, subject) < (
          SELECT started_at, subject FROM attempts
          WHERE project = ? AND tenant = ? AND kind = ?
          ORDER BY started_at DESC, subject DESC LIMIT 1 OFFSET ?)
      """, arguments: key + key + [Self.mostNonces - 1])
  }
}
