import CHearthOpenSSL

/// Signatures over SHA-256, in the form that OpenSSL has for the kind of the key: RSASSA-PKCS1-v1_5
/// (`RS256`), or ECDSA.
enum DigestSignature {
  static func isValid(_ signature: [UInt8], of input: [UInt8], by key: OpaquePointer) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, input, input.count) == 1
  }
}
