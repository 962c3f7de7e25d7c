import Foundation
import Testing

@Suite struct `The rules of the house` {
  @Test func `Files are short`() {
    let found = Package.written.filter { $0.lineCount > HouseRules.longestFile }
      .map { ($0.path, $0.lineCount) }
    expect(found, rule: .longFile, complaint: "has more than \(HouseRules.longestFile) lines")
  }

  @Test func `Scripts are short`() throws {
    for path in Package.paths where path.hasSuffix(".py") {
      let text = try String(contentsOf: Package.root.appending(path: path), encoding: .utf8)
      let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
      #expect(lines <= HouseRules.longestScript, "\(path)")
    }
  }

  @Test func `Functions are short`() {
    let found = Package.written.flatMap { file in
      file.functions.filter { $0.lineCount > HouseRules.longestFunction }
        .map { ("\(file.path) \($0.name)", $0.lineCount) }
    }
    expect(
      found, rule: .longFunction, complaint: "has more than \(HouseRules.longestFunction) lines")
  }

  @Test func `Arguments have labels`() {
    let declared = Package.written.flatMap(\.parameters)
    func share(_ count: Int) -> Double {
      Double(declared.count { $0.unlabelled >= count }) / Double(declared.count)
    }
    #expect(share(2) <= HouseRules.twoUnlabelled)
    #expect(share(3) <= HouseRules.threeUnlabelled)
  }

  @Test func `Folders of code are small`() {
    let code: Set<String> = ["swift", "py", "js", "c", "h"]
    let folders = Dictionary(
      grouping: Package.paths.filter { code.contains(URL(filePath: $0).pathExtension) }
    ) { path in
      path.split(separator: "/").dropLast().joined(separator: "/")
    }
    let found = folders.filter { $0.value.count > HouseRules.mostFilesInAFolder }
      .map { ($0.key, $0.value.count) }
    expect(
      found, rule: .largeFolder, complaint: "has more than \(HouseRules.mostFilesInAFolder) files")
  }

  @Test func `Targets are of a size that one person can know`() {
    let found = Package.targets.map { ($0.key, $0.value.reduce(0) { $0 + $1.lineCount }) }
      .filter { $0.1 > HouseRules.largestTarget }.map { ($0.0, ($0.1 + 999) / 1000) }
    expect(
      found, rule: .largeTarget,
      complaint: "has more than \(HouseRules.largestTarget) lines, in thousands")
  }

  @Test func `Folders do not all use each other`() {
    let found = Package.targets.mapValues { Folders($0).largestCircle }
      .filter { $0.value.lines > HouseRules.largestCircle }
      .map { ($0.key, $0.value.folders.count) }
    expect(
      found, rule: .circle,
      complaint: "has more than \(HouseRules.largestCircle) lines in folders of one circle")
  }

  @Test func `Only the clock reads the time of the machine`() {
    expect(
      Package.sources.filter {
        $0.path != HouseRules.clock && $0.target != "hearth-bench" && $0.target != "HearthClient"
      }, count: /\bDate\(\)|\bDate\.now\b|\bclock_gettime\b|\bgettimeofday\b/, rule: .machineTime,
      complaint: "reads the time of the machine")
  }

  @Test func `Only products have public declarations`() {
    expect(
      Package.sources.filter {
        !HouseRules.products.contains($0.target) && !HouseRules.facades.contains($0.path)
      },
      count: Self.publicDeclaration, rule: .publicDeclaration, complaint: "has public declarations")
  }

  private static var publicDeclaration: Regex<Substring> {
    /\b(?:public|open)\s+(?:actor|class|enum|final|func|init|let|protocol|static|struct|var)\b/
  }

  @Test func `Nothing is forced or unsafe`() {
    expect(
      Package.written,
      count: /\btry!|\bas!|nonisolated\(unsafe\)|[\w)\]]!(?=[.,)\]?\s]|$)/, rule: .unsafeCode,
      complaint: "forces or is unsafe")
  }

  @Test func `The server does not import all of Foundation`() {
    let found = Package.files.filter { file in
      file.path.hasPrefix("Sources/") && !HouseRules.withFoundation.contains(file.target)
        && file.imports.contains("Foundation") && !file.imports.contains("FoundationEssentials")
    }.map { ($0.path, 1) }
    expect(found, rule: .allOfFoundation, complaint: "imports all of Foundation")
  }

  /// An operation that differs in more than a few places has a type for each program instead.
  @Test func `Few lines of Auth ask whose answers are given`() {
    let question = Self.question
    let lines = Package.sources.filter { $0.target == "HearthIdentityToolkit" }.flatMap(\.code)
      .filter { $0.contains(question) }
    expect(
      [("Sources/HearthIdentityToolkit", lines.count)], rule: .askedAnswers,
      complaint: "has lines that ask whose answers are given")
  }

  private static var question: Regex<Substring> {
    /\.answers\b|\b(?:try|switch) answers\b|\banswers [!=]=|\bisProduction\b/
  }

  /// What an operation does with accounts, codes or mails belongs to a value of that subject.
  @Test func `A transaction on a project has few members by extension`() {
    var count = 0
    let (beginning, member) = (Self.beginning, Self.member)
    for file in Package.sources where file.text.contains("extension ProjectTransaction") {
      var isInside = false
      for line in file.code {
        if line.contains(beginning) { isInside = true }
        if line == "}" { isInside = false }
        if isInside, line.contains(member) { count += 1 }
      }
    }
    expect(
      [("ProjectTransaction", count)], rule: .projectMembers, complaint: "has members by extension")
  }

  private static var beginning: Regex<Substring> {
    /^(?:\w+ )?extension ProjectTransaction\b/
  }

  private static var member: Regex<Substring> {
    /^  (?:(?:private|fileprivate|package|static) )*(?:func|var|let|typealias|enum|struct|init)\b/
  }

  @Test func `No file of Auth is named after a program whose answers are given`() {
    let names = Package.sources.filter { $0.target == "HearthIdentityToolkit" }.map(\.path)
    #expect(names.filter { $0.localizedCaseInsensitiveContains("production") }.isEmpty)
  }

  @Test(arguments: Set(Package.sources.map(\.target)).sorted())
  func `A target imports what the table allows`(target: String) throws {
    let allowed = try #require(
      HouseRules.imports[target], "\(target) is not in the table of imports")
    for file in Package.files where file.path.hasPrefix("Sources/\(target)/") {
      let others = Set(file.imports).subtracting(allowed).subtracting(HouseRules.everywhere)
      #expect(others.isEmpty, "\(file.path) imports \(others.sorted())")
    }
  }

  @Test func `The table of imports has no row without a target`() {
    let targets = Set(Package.files.filter { $0.path.hasPrefix("Sources/") }.map(\.target))
    #expect(Set(HouseRules.imports.keys).subtracting(targets).isEmpty)
  }

  @Test func `The guide has the table of imports`() throws {
    let guide = Package.root.appending(path: "Sources/hearth/Hearth.docc/Architecture.md")
    let listed = importsListed(in: try String(contentsOf: guide, encoding: .utf8))
    for target in Set(listed.keys).union(HouseRules.imports.keys).sorted() {
      let allowed = HouseRules.imports[target]?.filter { $0.hasPrefix("Hearth") }
      #expect(listed[target] == allowed, "\(target) in \(guide.lastPathComponent)")
    }
  }

  /// The rows with three cells: target, contents, imports without `Hearth`.
  private func importsListed(in guide: String) -> [String: Set<String>] {
    let allBut = "all above but "
    var listed: [String: Set<String>] = [:]
    for line in guide.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[0].hasPrefix("`") else { continue }
      let words = cells[2].replacing(allBut, with: "").split(separator: ", ")
      let names = Set(words.map { "Hearth\($0)" })
      listed[String(cells[0].dropFirst().dropLast())] =
        cells[2].hasPrefix(allBut) ? Set(listed.keys).subtracting(names) : names
    }
    return listed
  }

  private func expect(
    _ files: [SourceFile], count pattern: Regex<Substring>, rule: HouseRules.Rule,
    complaint: String
  ) {
    let found = files.map { ($0.path, $0.count(of: pattern)) }.filter { $0.1 > 0 }
    expect(found, rule: rule, complaint: complaint)
  }

  /// What breaks a rule is known, with exactly the number that is known.
  private func expect(_ found: [(String, Int)], rule: HouseRules.Rule, complaint: String) {
    let known = HouseRules.known[rule] ?? [:]
    let found = Dictionary(found, uniquingKeysWith: max)
    for place in Set(known.keys).union(found.keys).sorted() {
      let (number, bound) = (found[place, default: 0], known[place, default: 0])
      if number > bound {
        Issue.record("\(place) \(complaint): \(number)")
      } else if number < bound {
        Issue.record("\(place) has \(number) now: lower its number in HouseRules.known")
      }
    }
  }
}

@Suite struct `Reading source code` {
  @Test(arguments: [
    ("let a = 1 // try!", "let a = 1        "),
    (#"f("try! \(g(h["x!"])) b")"#, #"f("      (g(h["  "]))  ")"#),
    ("/* a /* b */ c */d", "                 d"),
    (##"#"\(a) " b"#"##, ##"#"        "#"##),
    ("\"\"\"\n  \" {\n  \"\"\"", "\"\"\"\n     \n  \"\"\""),
  ])
  func `Comments and strings are left out`(text: String, code: String) {
    #expect(codeOnly(text) == code)
  }

  @Test func `A function ends with its brace`() {
    let file = SourceFile(
      path: "Sources/A/B.swift",
      text: """
        protocol P {
          func a()
          init(b: Int)
        }
        struct S {
          func a(_ done: () -> Void = {}) -> Int
          where Int: Sendable {
            let text = "}"
            return [1].map { $0 + 1 }[0]
          }
          init(b: Int) { self.init() }
        }
        """)
    #expect(file.functions.map(\.name) == ["a", "init"])
    #expect(file.functions.map(\.lineCount) == [5, 1])
  }

  @Test func `Parameters without a label are counted`() {
    let file = SourceFile(
      path: "Sources/A/A.swift",
      text: """
        init?(_ a: Int, _ b: [Int: (Int, Int)], c: Int) {}
        func `is empty`<T>(
          _ a: T, b: Int,
          _ c: (Int, _ other: Int) -> Int = { a, b in a }
        )
        static func none() {}
        return make(_: 1)
        """)
    #expect(file.parameters.map(\.unlabelled) == [2, 2])
  }

  @Test func `A circle of folders is found by the types that they use`() {
    func file(_ path: String, text: String) -> SourceFile {
      SourceFile(path: "Sources/T/" + path, text: text)
    }
    let folders = Folders([
      file("A/One.swift", text: "struct One {\n  let next: Two\n}\n"),
      file("B/Two.swift", text: "package final class Two {\n  func make() -> [Three] { [] }\n}\n"),
      file("C/Three.swift", text: "enum Three { case one(One) }\n"),
      // It is used by all and uses nobody; a member of that name does not count.
      file("D/Four.swift", text: "struct Four {}\n"),
      file("E/Five.swift", text: "private struct One {}\nlet five = Four(), six = Kind.Two\n"),
    ])
    #expect(folders.largestCircle.folders == ["A", "B", "C"])
    #expect(folders.largestCircle.lines == 7)
  }

  @Test func `Imports have many forms`() {
    let file = SourceFile(
      path: "Sources/A/B.swift",
      text: """
        import A
        @testable import B
        package import C
        @preconcurrency private import struct D.E
        // import F
        """)
    #expect(file.imports == ["A", "B", "C", "D"])
  }
}
