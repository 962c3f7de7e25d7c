import HearthWire

/// A file of users, `{"users": [ … ]}`. It is read piece by piece: one of any size takes little
/// memory.
struct AccountsFile {
  let path: String

  /// Hands over the users, up to the first fault of the file.
  func read(_ handle: (JSON) throws -> Void) throws {
    let file = try RegularFile.open(path)
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

  /// - Throws: if the file is broken, so that nothing is imported of it.
  func check() throws { try read { _ in } }

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
