import HearthExports
import HearthWire

/// A file of users: `{"users": [ … ]}`, or the lines of a `.csv`. It is read piece by piece: one of
/// any size takes little memory.
struct AccountsFile {
  let path: String

  private var isCSV: Bool { path.hasSuffix(".csv") }

  /// Hands over the users, up to the first fault of the file.
  func read(_ handle: (JSON) throws -> Void) throws {
    let file = try RegularFile.open(path)
    if isCSV {
      for read in LineReader(file) {
        let line = try read.get()
        guard !line.isEmpty else { continue }
        try handle(AuthExportCSV.user(String(decoding: line, as: UTF8.self)))
      }
      return
    }
    var scanner = JSONElementScanner(member: "users")
    do {
      while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
        try scanner.feed(chunk) { try handle(Self.normalised($0)) }
      }
      try scanner.finish()
    } catch let error as JSON.ParseError {
      throw ExportError("\(path): \(error)")
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
  private static func normalised(_ user: JSON) -> JSON {
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
