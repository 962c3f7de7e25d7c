/// All dialects of a server: finds the one that a request is for.
package struct DialectSet: Sendable {
  /// The longest prefix first, so that `/api/v1` is served beside `/api`.
  package let engines: [DialectEngine]

  package init(_ definitions: [DialectDefinition]) throws(DefinitionFault) {
    var known: [DialectDefinition] = []
    for definition in definitions {
      if known.contains(where: { $0.name == definition.name }) {
        throw DefinitionFault(
          pointer: "/name", sentence: "is the name of another dialect, \"\(definition.name)\"")
      }
      if let other = known.first(where: { $0.place == definition.place }) {
        throw DefinitionFault(
          pointer: "/serve", sentence: "is where \"\(other.name)\" is served already")
      }
      known.append(definition)
    }
    engines = known.sorted { $0.place.prefix.utf8.count > $1.place.prefix.utf8.count }
      .map(DialectEngine.init)
  }

  /// The ports to listen on, beside the emulator's own.
  package var ports: Set<Int> { Set(engines.compactMap(\.definition.place.port)) }

  /// The dialect and what it is asked; nil when the request is for none. `port` is nil for the
  /// emulator's port.
  package func call(
    _ request: DialectRequest, port: Int?
  ) -> (engine: DialectEngine, call: DialectCall)? {
    for engine in engines where engine.definition.place.port == port {
      if let call = engine.call(request) { return (engine, call) }
    }
    return nil
  }
}
