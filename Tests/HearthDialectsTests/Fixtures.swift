import Foundation
import HearthDialects
import Testing

/// The definitions that are shipped, and their cases. No test knows them by name.
enum Fixtures {
  struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String

    var testDescription: String { name }
  }

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../fixtures/dialects").standardizedFileURL

  /// The definitions in the guide: its JSON blocks that have endpoints.
  static let guide: [Fixture] = {
    let file = folder.appending(path: "../../Sources/hearth/Hearth.docc/Dialects.md")
      .standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```json\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
      .filter { $0.contains("\"endpoints\"") }
      .map { Fixture(name: "guide", text: $0) }
  }()

  static let definitions = files(in: folder)
  static let cases = files(in: folder.appending(path: "cases"))

  static func definition(_ name: String) throws -> DialectDefinition {
    let fixture = definitions.first { $0.name == name }
    return try DialectDefinition(parsing: (fixture?.text ?? "").utf8)
  }

  private static func files(in folder: URL) -> [Fixture] {
    let urls =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
    return urls.filter { $0.pathExtension == "json" }
      .sorted { $0.path < $1.path }
      .map { url in
        Fixture(
          name: url.deletingPathExtension().lastPathComponent,
          text: (try? String(contentsOf: url, encoding: .utf8)) ?? "")
      }
  }
}
