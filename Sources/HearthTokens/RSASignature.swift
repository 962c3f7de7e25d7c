import CHearthOpenSSL

/// RSASSA-PKCS1-v1_5 signatures over SHA-256: `RS256`.
enum RSASignature {
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
