import HearthOperations
import HearthWire

/// The operations that faults can be for.
enum FaultTargets {
  /// Operations that pass the faults: not the control endpoints, not documents such as the keys.
  static let all: [String] = {
    var ids = RouteCatalogue.endpoints.filter(isFaulted).map(\.route.id)
    ids.append(FirestoreRoutes.list)
    ids += MailFaults.Target.allCases.map(\.operation)
    return Array(Set(ids)).sorted()
  }()

  private static func isFaulted(_ endpoint: Endpoint) -> Bool {
    switch endpoint.handler {
    case .operation: endpoint.route.credential != .control
    case .firestore: true
    case .server, .unimplemented: false
    }
  }

  /// Operations of dialects are named in their definitions, so anything may be one.
  private static let dialects = "dialect."

  /// Whether a pattern is for any operation.
  static func hasMatch(_ pattern: FaultPattern) -> Bool {
    pattern.text.hasPrefix(dialects) || all.contains(where: pattern.matches)
  }

  /// The operations that somebody may have meant, the nearest first.
  static func near(_ pattern: FaultPattern) -> [String] {
    let given = pattern.text.filter { $0 != "*" }.lowercased()
    let word = lastWord(given)
    let ranked = all.map { id in
      let name = id.lowercased()
      let whole = given.editDistance(to: name)
      return (id: id, distance: min(whole, word.editDistance(to: lastWord(name))), whole: whole)
    }
    let limit = max(1, word.count / 3)
    return ranked.filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.whole, $0.id) < ($1.distance, $1.whole, $1.id) }.prefix(3).map(
        \.id)
  }

  private static func lastWord(_ id: String) -> String {
    id.split(separator: ".").last.map(String.init) ?? id
  }
}

/// The id of an operation, with `*` for any run of characters.
struct FaultPattern: Sendable {
  let text: String

  func matches(_ operation: String) -> Bool {
    Self.glob(Array(text.utf8), text: Array(operation.utf8))
  }

  /// Steps back to the last `*` only, so that no pattern takes long.
  private static func glob(_ pattern: [UInt8], text: [UInt8]) -> Bool {
    var position = 0
    var index = 0
    var retry: (pattern: Int, text: Int)?
    while index < text.count {
      if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
        position += 1
        retry = (position, index)
      } else if position < pattern.count, pattern[position] == text[index] {
        position += 1
        index += 1
      } else if let last = retry {
        position = last.pattern
        index = last.text + 1
        retry = (last.pattern, index)
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
