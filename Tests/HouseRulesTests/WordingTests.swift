import Foundation
import Testing

@Suite struct `The words of texts and comments` {
  /// What a person wrote, and a reader meets: sources, tests, guides.
  private static let extensions: Set<String> = ["cjs", "js", "md", "mjs", "py", "swift"]

  /// These name the words themselves.
  private static let excepted: Set<String> = [
    "Tests/HouseRulesTests/Wording.swift", "Tests/HouseRulesTests/WordingTests.swift",
  ]

  @Test(arguments: Wording.all)
  func `are usual ones`(wording: Wording) {
    for file in Self.files where wording.mayBeUsed(in: file.text) {
      for (number, line) in file.lines.enumerated() where wording.isUsed(in: line) {
        Issue.record(
          "\(file.path):\(number + 1) has \"\(wording.word)\"; write: \(wording.instead)")
      }
    }
  }

  @Test(arguments: [
    ("/// Behind the commit.", true), ("/// Leaves nothing behind.", false),
    ("nil when it is none", true), ("nil if there is none", false), ("if value is None", false),
    ("`*` stands for all", false), ("what stands here", true), ("withstands", false),
  ])
  func `are found where they are`(line: String, isFound: Bool) {
    #expect(Wording.all.contains { $0.isUsed(in: line) } == isFound)
  }

  /// No error says that somebody or nobody did something: it says what is missing.
  @Test func `blame nobody in errors`() {
    let blame = /(?:fault|Error|refusal)\(.*".*\b(?:nobody|somebody)\b/
    for file in Package.sources {
      for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      where line.contains("body") && line.contains(blame) {
        Issue.record("\(file.path):\(number + 1) has nobody or somebody in an error")
      }
    }
  }

  private struct TextFile {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  private static let files: [TextFile] = Package.paths.filter { path in
    extensions.contains(URL(filePath: path).pathExtension) && !excepted.contains(path)
      && !path.contains("HearthFirestoreProtos/")
  }.compactMap { path in
    (try? String(contentsOf: Package.root.appending(path: path), encoding: .utf8))
      .map { TextFile(path: path, text: $0) }
  }
}
