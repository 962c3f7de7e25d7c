import HearthExports
import HearthIdentityToolkit
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of an export, by the official tool suite or by ours.
struct ExportFolder {
  let path: String
  /// The files of users, and the tenants they belong to.
  let accounts: [(file: AccountsFile, tenantId: String?)]

  /// - Returns: nil for a directory without accounts, such as an export of other emulators only.
  init?(_ directory: String) throws {
    var folder = directory
    if let metadata = try ExportMetadata.read(in: directory) {
      guard let path = try ExportMetadata.authFolder(in: directory, metadata) else { return nil }
      folder = path
    }
    path = folder
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw ExportError("cannot read the directory \(folder)")
    }
    accounts = names.sorted().compactMap { name in
      // The official importer reads copies such as `accounts.json.bak` as the users of a tenant
      // with an odd name.
      guard name.hasSuffix(".json") else { return nil }
      guard let mark = name.firstRange(of: "accounts") else { return nil }
      let file = AccountsFile(path: "\(folder)/\(name)")
      return (file, Self.tenant(name[..<mark.lowerBound], end: name[mark.upperBound...]))
    }
    let isExport =
      folder != directory || !accounts.isEmpty
      || FileManager.default.fileExists(atPath: folder + "/config.json")
    guard isExport else { return nil }
  }

  /// `accounts.json` holds the project's own users, `accounts-<tenant>.json` those of a tenant.
  /// Observed: so does every other file of JSON with that word in its name, and what surrounds it
  /// is the tenant.
  private static func tenant(_ start: Substring, end: Substring) -> String? {
    var end = end.hasPrefix("-") ? end.dropFirst() : end
    if end.hasSuffix(".json") { end = end.dropLast(".json".count) }
    return Optional(PercentCoding.decode(start + end)).nonEmpty
  }

  /// Whether the export is ours, and says more than the official layout can.
  var hasExtras: Bool { FileManager.default.fileExists(atPath: extrasPath) }

  private var extrasPath: String { path + "/" + AccountExport.extras }

  func config() throws -> JSONObject? {
    guard let data = try RegularFile.contents(path + "/config.json") else { return nil }
    guard case .object(let config)? = try? JSON.parse(data) else {
      throw ExportError("\(path)/config.json is not a JSON object")
    }
    return config
  }

  /// The first line of the extra file, which is about the project.
  func firstExtra() throws -> JSON? {
    guard let file = try RegularFile.open(ifThere: extrasPath) else { return nil }
    var lines = LineReader(file)
    return try lines.next().map { try extra($0.get(), line: 1) }
  }

  /// The other lines of the extra file, one for each user.
  func readExtras(_ handle: (JSON) throws -> Void) throws {
    guard let file = try RegularFile.open(ifThere: extrasPath) else { return }
    for (index, line) in LineReader(file).enumerated() where index > 0 {
      try handle(try extra(line.get(), line: index + 1))
    }
  }

  private func extra(_ bytes: [UInt8], line: Int) throws -> JSON {
    do throws(JSON.ParseError) {
      return try JSON.parse(bytes)
    } catch {
      throw ExportError("\(extrasPath), line \(line): \(error)")
    }
  }

  /// - Throws: if any file is broken, or an id of the project or of a tenant appears twice.
  func check() throws {
    _ = try config()
    _ = try firstExtra()
    try readExtras { _ in }
    var ids = AccountIds()
    for (file, tenantId) in accounts { try file.check(of: tenantId, &ids) }
  }
}
