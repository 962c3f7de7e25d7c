#if os(Linux)
  import CCrypt
#endif

/// The password hash of OpenBSD, by the system's `libxcrypt`.
package enum BCrypt {
  /// Whether this system can do it: macOS cannot.
  package static var isAvailable: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Whether the password fits a hash of the form `$2b$10$…`.
  package static func matches(_ password: String, hash: String) -> Bool {
    #if os(Linux)
      guard hash.hasPrefix("$2") else { return false }
      let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
      defer { data.deallocate() }
      data.initialize(to: crypt_data())
      guard let result = crypt_r(password, hash, data) else { return false }
      return ConstantTime.equal(String(cString: result), hash)
    #else
      return false
    #endif
  }
}
