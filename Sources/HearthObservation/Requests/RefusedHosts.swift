package import HearthWire
package import Logging
import Synchronization

/// The hosts that programs have asked for and that are not played: what is missing for them. Nothing was
/// sent there.
package final class RefusedHosts: Sendable {
  /// Where it came to light.
  package enum Way: String, Sendable {
    /// The name in a TLS handshake.
    case tls
    case proxy
    /// The Host header of a request.
    case request
    /// A host in the table that is answered with 501.
    case notPlayed
  }

  private struct Key: Hashable {
    let host: String
    let way: Way
  }

  private struct State {
    var counts: [Key: Int] = [:]
    /// In the order in which they came.
    var keys: [Key] = []
    var others = 0
  }

  private static let most = 200
  /// Hosts that browsers call without a page asking for it.
  private static let ofBrowsers: Set = [
    "update.googleapis.com", "clients2.google.com", "clients2.googleusercontent.com",
    "optimizationguide-pa.googleapis.com", "edgedl.me.gvt1.com", "safebrowsing.googleapis.com",
    "content-autofill.googleapis.com", "android.clients.google.com", "mtalk.google.com",
    "redirector.gvt1.com", "clientservices.googleapis.com",
  ]

  private let state = Mutex(State())
  private let logger: Logger

  package init(_ logger: Logger) { self.logger = logger }

  /// Counts the host, and logs it the first time.
  package func note(_ name: String?, way: Way) {
    let host = Self.printable(name)
    guard !Self.ofBrowsers.contains(host) else { return }
    let isNew = state.withLock { state in
      let key = Key(host: host, way: way)
      if let count = state.counts[key] {
        state.counts[key] = count + 1
        return false
      }
      guard state.keys.count < Self.most else {
        state.others += 1
        return false
      }
      state.keys.append(key)
      state.counts[key] = 1
      return true
    }
    if isNew { logger.warning("\(host) is not emulated. Nothing was sent to it.") }
  }

  package var json: JSON {
    state.withLock { state in
      .members([
        "hosts": .array(
          state.keys.map { key in
            .members([
              "host": .string(key.host), "way": .string(key.way.rawValue),
              "count": .int(Int64(state.counts[key] ?? 0)),
            ])
          }),
        "others": .int(Int64(state.others)),
      ])
    }
  }

  /// An untrusted name, cut and in printable ASCII.
  package static func printable(_ name: String?) -> String {
    guard let name, !name.isEmpty else { return "a host without a name" }
    return String(
      decoding: name.utf8.prefix(253).map { $0 > 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }
}
