import HearthErrors
package import HearthWire

/// What `GET /backends` of a functions emulator says: the functions that run when documents change.
package enum FunctionBackends {
  /// Triggers that are read at most. The answer comes from another program.
  private static let most = 10_000

  /// The triggers of documents; what cannot be read is left out. Each function is run by its key,
  /// where that is known; the first one ends in `-0`.
  package static func triggers(
    in json: JSON, project: String, keys: [String: String]
  ) -> [DocumentTrigger] {
    let functions = (json["backends"]?.array ?? []).flatMap { $0["functionTriggers"]?.array ?? [] }
    return functions.prefix(most).compactMap { function in
      guard let event = function["eventTrigger"], let id = function["id"]?.string,
        DocumentTrigger.isDocumentEvent(event["eventType"]?.string ?? "")
      else { return nil }
      return try? trigger(event, key: keys[id] ?? "\(id)-0", project: project)
    }
  }

  private static func trigger(
    _ event: JSON, key: String, project: String
  ) throws(APIError) -> DocumentTrigger {
    let type = event["eventType"]?.string ?? ""
    guard !type.hasPrefix("providers/") else {
      return try DocumentTrigger(firstGeneration: event, key: key, project: project)
    }
    let filters = event["eventFilters"]
    let exact = filters?["document"]?.string
    let pattern = event["eventFilterPathPatterns"]?["document"]?.string
    return try DocumentTrigger(
      secondGeneration: type, key: key, database: filters?["database"]?.string ?? "(default)",
      path: pattern ?? exact ?? "", syntax: pattern == nil && exact != nil ? .exact : .wildcards)
  }

  /// The keys that a functions emulator names where it is asked for one that it does not have:
  /// `…, valid functions are: us-central1-one-1, …`. Of each function the latest, by its id.
  package static func keys(in refusal: String) -> [String: String] {
    guard let list = refusal.firstRange(of: "valid functions are:") else { return [:] }
    var keys: [String: (generation: Int, key: String)] = [:]
    for word in refusal[list.upperBound...].split(separator: ",") {
      let key = word.filter { !$0.isWhitespace }
      guard let dash = key.lastIndex(of: "-"), let generation = Int(key[key.index(after: dash)...])
      else { continue }
      let id = String(key[..<dash])
      if keys[id].map({ $0.generation < generation }) ?? true { keys[id] = (generation, key) }
    }
    return keys.mapValues(\.key)
  }

  /// `us-central1-one` of `us-central1-one-0`.
  package static func id(ofKey key: String) -> String {
    key.lastIndex(of: "-").map { String(key[..<$0]) } ?? key
  }
}
