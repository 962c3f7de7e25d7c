import HearthExports
import HearthIdentityToolkit
import HearthWire

/// A file of users: `{"users": [ … ]}`, or the lines of a `.csv`. It is read piece by piece: one of
/// any size takes little memory.
struct AccountsFile {
  let path: String

  /// In bytes, where quotes hold several lines of a `.csv`.
  private static let longestRecord = 1 << 15

  private var isCSV: Bool { path.hasSuffix(".csv") }

  /// Hands over the users, up to the first fault of the file, and what of them is left out.
  func read(_ handle: (JSON) throws -> Void, leftOut: (String) -> Void = { _ in }) throws {
    let file = try RegularFile.open(path)
    if isCSV { return try readLines(of: file, handle: handle, leftOut: leftOut) }
    var scanner = JSONElementScanner(member: "users")
    do {
      while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
        try scanner.feed(chunk, handle: handle)
      }
      try scanner.finish()
    } catch let error as JSON.ParseError {
      throw ExportError("\(path): \(error)")
    }
  }

  private func readLines(
    of file: OpenFile, handle: (JSON) throws -> Void, leftOut: (String) -> Void
  ) throws {
    var record = ""
    var number = 0
    var first = 1
    for read in LineReader(file) {
      let line = String(decoding: try read.get(), as: UTF8.self)
      number += 1
      if record.isEmpty { first = number }
      // A name in quotes may have line ends.
      record += record.isEmpty ? line : "\n" + line
      guard !record.isEmpty else { continue }
      if AuthExportCSV.isOpen(record) {
        guard record.utf8.count <= Self.longestRecord else { break }
        continue
      }
      let (user, unknown) = AuthExportCSV.user(record)
      for name in ["passwordHash", "salt"] {
        if let text = user[name]?.string, Base64.decode(text) == nil {
          throw ExportError("\(path), line \(first): \(name) is not Base64")
        }
      }
      try handle(user)
      if let unknown { leftOut("\(user["localId"]?.string ?? "?"): \(unknown)") }
      record = ""
    }
    guard record.isEmpty else {
      throw ExportError("\(path), line \(first): a quote is not closed")
    }
  }

  /// - Throws: if the file is broken, or has an id that was there before, so that nothing is
  ///   imported of it.
  func check(of tenantId: String?, _ ids: inout AccountIds) throws {
    var number = 0
    try read { user in
      number += 1
      try ids.add(user, of: tenantId, in: path, number: number)
    }
  }

  /// `auth:export` writes two names of its own.
  static func normalised(_ user: JSON) -> JSON {
    guard var object = user.object else { return user }
    if let time = object["lastSignedInAt"] {
      object["lastLoginAt"] = .string(time.string ?? time.text)
    }
    if let time = object["createdAt"], time.string == nil {
      object["createdAt"] = .string(time.text)
    }
    return .object(object)
  }
}
