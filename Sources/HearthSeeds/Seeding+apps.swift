import HearthAppCheck
import HearthErrors
import HearthOperations
import HearthPush
import HearthTime
import HearthWire

/// What a seed says of the project's apps: their texts, and App Check.
extension Seeding {
  func applyApps(_ seed: Seed, file: SeedFile) throws {
    if let node = seed.texts {
      let texts = try file.texts(node)
      try at(node) { () throws(APIError) in
        try transaction { project throws(APIError) in try KeptTexts(in: project).set(texts) }
      }
    }
    for (name, node) in seed.appCheck {
      try at(node) { () throws(APIError) in
        try transaction { project throws(APIError) in
          var settings = try project.settings()
          try settings.switches.update(.init([name: node.json]))
          try project.save(settings)
        }
      }
    }
    let now = exports.server.clocks.now(of: project)
    for (app, node) in seed.debugTokens {
      try at(node) { () throws(APIError) in
        try transaction { project throws(APIError) in
          try DebugTokens.seed(node.json.object ?? JSONObject(), of: app, in: project, at: now)
        }
      }
    }
  }
}

extension SeedFile {
  private static let ends = [".strings", ".xcstrings", ".xml"]

  /// The texts of an app with the content of the files that the seed names for platforms.
  func texts(_ node: SeedNode) throws -> JSONObject {
    var texts = JSONObject()
    for (name, member) in try node.members() {
      switch name {
      case "language": texts[name] = .string(try member.text())
      case "languages":
        var languages = JSONObject()
        for (language, tables) in try member.members() {
          languages[language] = .object(try self.tables(tables))
        }
        texts[name] = .object(languages)
      default: texts[name] = try table(member)
      }
    }
    return texts
  }

  private func tables(_ node: SeedNode) throws -> JSONObject {
    var tables = JSONObject()
    for (platform, member) in try node.members() { tables[platform] = try table(member) }
    return tables
  }

  /// A seed that was sent may name any file, and texts can be read by everybody.
  private func table(_ node: SeedNode) throws -> JSON {
    guard let name = node.json.string else { return node.json }
    guard Self.ends.contains(where: { name.hasSuffix($0) }) else {
      throw node.fault(
        "must be an object, or a file that ends with \(Self.ends.joined(separator: ", "))")
    }
    return .string(try file(node).text)
  }
}
