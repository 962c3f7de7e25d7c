#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Names that a certificate can be for.
enum HostName {
  /// This machine's, if it has one that can be a DNS name.
  static var ofThisMachine: String? {
    // `gethostname` need not end a name with NUL where it is cut off, so the last byte stays zero.
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return isName(name) ? name.lowercased() : nil
  }

  /// Whether it is an IPv4 or IPv6 address, without brackets and without a zone.
  static func isAddress(_ text: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
  }

  /// The mask that leaves of a network one address.
  static func wholeMask(of address: String) -> String {
    address.contains(":")
      ? Array(repeating: "ffff", count: 8).joined(separator: ":") : "255.255.255.255"
  }

  /// Letters, digits, hyphens and dots only: nothing else may come into an extension's text.
  ///
  /// 253 is the length of the longest name that DNS can hold.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 253
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
