import Foundation

/// One Swift file of the package, with and without its comments and strings.
struct SourceFile: Sendable {
  /// From the root of the package, such as `Sources/HearthWire/JSON.swift`.
  let path: String
  let text: String
  /// The lines with comments and the contents of strings replaced by spaces.
  let code: [String]

  /// The folder below `Sources` or `Tests`, which is a target.
  var target: String { String(path.split(separator: "/")[1]) }

  var isGenerated: Bool {
    text.split(separator: "\n", maxSplits: 5).prefix(5).contains("// swift-format-ignore-file")
  }

  var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }

  init(path: String, text: String) {
    self.path = path
    self.text = text
    self.code = codeOnly(text).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The modules of its import declarations.
  var imports: [String] {
    code.compactMap { line in
      let words = line.split { " .".contains($0) }
      guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
        words[..<index].allSatisfy({ Self.importModifiers.contains($0) || $0.hasPrefix("@") })
      else { return nil }
      let next = words[index + 1]
      let name = Self.importKinds.contains(next) ? words.dropFirst(index + 2).first : next
      return name.map(String.init)
    }
  }

  private static let importKinds: Set<Substring> = [
    "class", "enum", "func", "protocol", "struct", "typealias", "var",
  ]

  private static let importModifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]

  /// How often a pattern occurs in the code.
  func count(of pattern: Regex<Substring>) -> Int {
    code.reduce(0) { $0 + $1.matches(of: pattern).count }
  }
}

/// The files of this package.
enum Package {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Files below `Sources` and `Tests`, without hidden ones and caches.
  static let paths = (paths(below: "Sources") + paths(below: "Tests")).sorted()

  private static func paths(below folder: String) -> [String] {
    let found = try? FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: folder).path)
    return (found ?? []).map { "\(folder)/\($0)" }.filter { path in
      !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__pycache__" }
    }
  }

  static let files: [SourceFile] = paths.filter { $0.hasSuffix(".swift") }.compactMap { path in
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8))
      .map { SourceFile(path: path, text: $0) }
  }

  /// The files that a person wrote.
  static let written = files.filter { !$0.isGenerated }

  /// The written files of each target, without those of tests.
  static let targets = Dictionary(grouping: sources, by: \.target)

  /// The written files of targets, without those of tests.
  static let sources = written.filter { $0.path.hasPrefix("Sources/") }
}
