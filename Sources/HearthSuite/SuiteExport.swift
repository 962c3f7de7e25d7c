import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The parts of an export that are the official tools': those of all services but Auth and Firestore.
package enum SuiteExport {
  private static let file = "firebase-export-metadata.json"
  private static let own: Set<String> = ["version", "auth", "firestore"]

  /// Those of their services that are exported.
  package static let services = ["database", "storage", "dataconnect"]

  /// Where the official tools read their parts of an export; nil where it has none. An empty folder
  /// gets lost in Git, and the tools end where one is named that is not there: they read a list of
  /// the rest then, which is put into `substitute`.
  package static func importable(_ folder: String, substitute: String) throws -> String? {
    guard let given = metadata(in: folder) else { return nil }
    let files = FileManager.default
    let all = parts(given)
    let there = all.filter { files.fileExists(atPath: "\(folder)/\($0.folder)") }
    guard there.count < all.count else { return all.isEmpty ? nil : folder }
    guard !there.isEmpty else { return nil }
    try files.createDirectory(atPath: substitute, withIntermediateDirectories: true)
    var known = JSONObject()
    known["version"] = given["version"] ?? .string("")
    for part in there {
      known[part.service] = given[part.service]
      try files.createSymbolicLink(
        atPath: "\(substitute)/\(part.folder)",
        withDestinationPath: URL(fileURLWithPath: "\(folder)/\(part.folder)").path)
    }
    try Data(JSON.object(known).prettyBytes)
      .write(to: URL(fileURLWithPath: "\(substitute)/\(file)"), options: .atomic)
    return substitute
  }

  /// Moves the parts from one folder into another, in place of those that it has. What the other one
  /// has of this server's stays.
  package static func carry(from source: String, into target: String) throws {
    guard let given = metadata(in: source) else { return }
    let files = FileManager.default
    try files.createDirectory(atPath: target, withIntermediateDirectories: true)
    var known = metadata(in: target) ?? JSONObject()
    if known["version"] == nil { known["version"] = given["version"] ?? .string("") }
    for (name, folder) in parts(given) where files.fileExists(atPath: "\(source)/\(folder)") {
      if files.fileExists(atPath: "\(target)/\(folder)") {
        try files.removeItem(atPath: "\(target)/\(folder)")
      }
      try files.moveItem(atPath: "\(source)/\(folder)", toPath: "\(target)/\(folder)")
      known[name] = given[name]
    }
    try Data(JSON.object(known).prettyBytes)
      .write(to: URL(fileURLWithPath: "\(target)/\(file)"), options: .atomic)
  }

  /// The folders by their services. A path that leaves the export is left out.
  private static func parts(_ metadata: JSONObject) -> [(service: String, folder: String)] {
    metadata.members.compactMap { name, value in
      guard !own.contains(name), let path = value["path"]?.string, !path.isEmpty,
        !path.contains("/"), !path.hasPrefix(".")
      else { return nil }
      return (name, path)
    }
  }

  private static func metadata(in folder: String) -> JSONObject? {
    FileManager.default.contents(atPath: "\(folder)/\(file)")
      .flatMap { try? JSON.parse(Array($0)) }?.object
  }
}
