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

  /// Whether a folder has parts of theirs.
  package static func hasParts(_ folder: String) -> Bool {
    parts(metadata(in: folder) ?? JSONObject()).isEmpty == false
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
