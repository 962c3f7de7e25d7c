#if os(Linux)
  import CHearthCrypt
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

  /// The costs that are verified. Each step takes twice as long; the last one about a second.
  package static let costs = 4...13

  /// The cost that a hash of the form `$2b$10$…` names; nil for other texts.
  package static func cost(of hash: String) -> Int? {
    let parts = hash.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1].first == UInt8(ascii: "2"),
      parts[2].count == 2
    else { return nil }
    return Int(Substring(parts[2]))
  }

  /// Whether the password fits a hash of the form `$2b$10$…`.
  package static func matches(_ password: String, hash: String) -> Bool {
    #if os(Linux)
      guard let cost = cost(of: hash), costs.contains(cost) else { return false }
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
