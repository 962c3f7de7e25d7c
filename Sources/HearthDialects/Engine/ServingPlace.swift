import HearthWire

/// Where a dialect is served: on a port of its own, or under a prefix of the emulator's port.
package struct ServingPlace: Sendable, Equatable {
  /// Nil for the emulator's port.
  package let port: Int?
  /// Empty, or a path that begins with a slash and does not end with one.
  package let prefix: String

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    let object = try value.object(["port", "prefix"])
    port = try object["port"]?.integer(in: 1...65_535)
    guard let prefix = object["prefix"] else {
      guard port != nil else {
        throw object.missing("prefix", reason: "is missing, and so is \"port\"")
      }
      self.prefix = ""
      return
    }
    let text = try prefix.string()
    guard text.hasPrefix("/") else { throw prefix.fault("must begin with \"/\"") }
    guard text != "/", !text.hasSuffix("/") else {
      throw prefix.fault("must not end with \"/\"; leave it out to serve at the root of a port")
    }
    guard text.utf8.allSatisfy({ $0.isASCIIVisible && !"{}?#%\\".utf8.contains($0) }) else {
      throw prefix.fault("must be a plain path, without blanks, variables or a query")
    }
    self.prefix = text
  }

  /// The path below the prefix; nil when the request is not for this dialect.
  func remainder(of path: String) -> Substring? {
    guard path.hasPrefix(prefix) else { return nil }
    let rest = path.dropFirst(prefix.count)
    return rest.isEmpty || rest.first == "/" ? rest : nil
  }
}
