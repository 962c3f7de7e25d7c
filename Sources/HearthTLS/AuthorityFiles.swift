import HearthTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The authority of a data directory: `tls/ca.pem` for clients, and `tls/ca-key.pem`, which only its
/// owner can read.
///
/// One server at a time has a data directory, which the store's lock sees to; so nobody else writes
/// here.
struct AuthorityFiles {
  let directory: String

  init(dataDirectory: String) { directory = dataDirectory + "/tls" }

  private var certificatePath: String { directory + "/ca.pem" }
  private var keyPath: String { directory + "/ca-key.pem" }

  /// The one that was kept, or a new one where there is none that can be used for these names.
  ///
  /// A new one replaces files that cannot be used. Clients have to trust it again.
  func authority(for names: [String], now: Timestamp) throws(TLSError) -> CertificateAuthority {
    if let certificate = Self.read(certificatePath), let key = Self.read(keyPath),
      let known = try? CertificateAuthority(certificatePEM: certificate, keyPEM: key, now: now),
      known.permits(names, now: now)
    {
      return known
    }
    let authority = try CertificateAuthority(names: names, now: now)
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure }
    // The key first: a certificate whose key is missing would be given to clients in vain.
    try write(try authority.keyPEM(), to: keyPath, mode: 0o600)
    try write(authority.certificatePEM, to: certificatePath, mode: 0o644)
    return authority
  }

  private static func read(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// Writes beside and renames, so that there is never half a file; it has its mode from the first
  /// moment.
  private func write(_ text: String, to path: String, mode: mode_t) throws(TLSError) {
    let partial = path + ".partial"
    unlink(partial)
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw failure }
    let isWritten = Self.write(Array(text.utf8), to: descriptor)
    guard closeDescriptor(descriptor) == 0, isWritten, rename(partial, path) == 0 else {
      let failure = failure
      unlink(partial)
      throw failure
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, bytes: $0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// What the system says of the call before.
  private var failure: TLSError {
    TLSError("cannot write a certificate to \(directory): \(String(cString: strerror(errno)))")
  }
}

/// System calls under names that a type with functions of the same names can call.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
