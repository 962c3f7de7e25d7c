/// The digests that rules can compute. Handed in, so that the language depends on no cryptographic
/// library.
package struct RuleDigests: Sendable {
  package typealias Digest = @Sendable (_ bytes: [UInt8]) -> [UInt8]

  let md5: Digest
  let sha256: Digest

  package init(md5: @escaping Digest, sha256: @escaping Digest) {
    self.md5 = md5
    self.sha256 = sha256
  }
}
