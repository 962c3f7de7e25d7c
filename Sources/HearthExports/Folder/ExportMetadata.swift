package import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file that says which folders of an export are whose.
package enum ExportMetadata {
  package static let name = "firebase-export-metadata.json"
  /// The version of the official tool suite whose exports these are.
  static let suite = "15.28.1"
  /// The version of its Firestore emulator.
  static let firestore = "1.19.9"
  private static let order = ["version", "firestore", "database", "auth", "storage", "dataconnect"]

  /// What the directory says; nil where it has no such file.
  package static func read(in directory: String) throws -> JSONObject? {
    let path = directory + "/" + name
    guard let data = try RegularFile.contents(path) else { return nil }
    guard let object = try? JSON.parse(data).object else {
      throw ExportError("\(path) is not a JSON object")
    }
    return object
  }

  /// The file with our services; the others keep what they have.
  package static func bytes(
    over known: JSONObject?, auth: Bool, firestore isWritten: Bool
  ) -> [UInt8] {
    var known = known ?? JSONObject()
    if known["version"] == nil { known["version"] = .string(suite) }
    if auth {
      known["auth"] = .members(["version": .string(suite), "path": .string(AuthFolder.name)])
    }
    if isWritten {
      known["firestore"] = .members([
        "version": .string(firestore), "path": .string(FirestoreFolder.name),
        "metadata_file": .string(
          FirestoreFolder.name + "/" + FirestoreFolder.metadata(of: FirestoreFolder.name)),
      ])
    }
    let others = known.members.filter { !order.contains($0.key) }
    let ordered = order.compactMap { name in known[name].map { (key: name, value: $0) } }
    return JSON.object(JSONObject(members: ordered + others)).prettyBytes
  }

  /// The metadata file of a Firestore export: the one that the suite's metadata names, or, in an
  /// export of Firestore alone, the one in the directory. Nil if the directory holds neither.
  package static func firestoreExport(in directory: String) throws -> String? {
    if let known = try read(in: directory) {
      return try path("metadata_file", of: "firestore", in: known, directory: directory)
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.sorted().first { $0.hasSuffix(FirestoreFolder.suffix) }
      .map { directory + "/" + $0 }
  }

  /// The folder of the accounts that the directory names; nil where it has none.
  package static func authFolder(in directory: String, _ known: JSONObject) throws -> String? {
    try path("path", of: "auth", in: known, directory: directory)
  }

  /// Where a process was killed while it put a folder in another one's place, the old one counts.
  private static func path(
    _ member: String, of service: String, in known: JSONObject, directory: String
  ) throws -> String? {
    guard let entry = known[service] else { return nil }
    // Windows writes backslashes.
    guard let file = (entry[member]?.string?.replacing("\\", with: "/")).nonEmpty else {
      throw ExportError("\(directory)/\(name): '\(service)' has no '\(member)'")
    }
    let segments = file.split(separator: "/", omittingEmptySubsequences: false)
    guard !file.hasPrefix("/"), !segments.contains("..") else {
      throw ExportError("\(directory)/\(name): '\(file)' is not inside the export")
    }
    let folder = DirectorySwap.current(directory + "/" + segments[0])
    return ([folder] + segments.dropFirst().map(String.init)).joined(separator: "/")
  }
}

/// Names in an export of accounts.
package enum AuthFolder {
  package static let name = "auth_export"
}

/// Names in an export of Firestore.
package enum FirestoreFolder {
  package static let name = "firestore_export"
  package static let suffix = ".overall_export_metadata"
  static let entities = "all_namespaces/all_kinds"
  static let entitiesMetadata = "all_namespaces_all_kinds.export_metadata"
  static let output = "output-0"
  /// Of the format, in the first record.
  static let version = Array("3".utf8)

  package static func metadata(of name: String) -> String { name + suffix }
}
