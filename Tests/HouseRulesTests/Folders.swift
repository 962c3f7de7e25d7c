/// The folders of a target, and which of them use each other's types.
struct Folders {
  /// Lines by folder. Files beside the folders count as one.
  private var lines: [String: Int] = [:]
  private var uses: [String: Set<String>] = [:]

  init(_ files: [SourceFile]) {
    var owners: [String: Set<String>] = [:]
    for file in files {
      let folder = Self.folder(of: file)
      lines[folder, default: 0] += file.lineCount
      for name in file.declaredTypes { owners[name, default: []].insert(folder) }
    }
    for file in files {
      let folder = Self.folder(of: file)
      for name in file.usedTypes {
        // A name that two folders declare says nothing about either.
        guard let owner = owners[name], owner.count == 1 else { continue }
        uses[folder, default: []].formUnion(owner.subtracting([folder]))
      }
    }
  }

  private static func folder(of file: SourceFile) -> String {
    let parts = file.path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : "."
  }

  /// The folders that use each other, directly or by way of others, with the most lines in them.
  var largestCircle: (folders: Set<String>, lines: Int) {
    let reached = lines.keys.reduce(into: [:]) { $0[$1] = reachable(from: $1) }
    let circles = lines.keys.map { folder in
      Set((reached[folder] ?? []).filter { reached[$0]?.contains(folder) == true })
    }
    let sizes = circles.map { ($0, $0.reduce(0) { $0 + (lines[$1] ?? 0) }) }
    return sizes.max { $0.1 < $1.1 } ?? ([], 0)
  }

  private func reachable(from folder: String) -> Set<String> {
    var reached: Set<String> = []
    var rest = uses[folder] ?? []
    while let next = rest.popFirst() {
      guard reached.insert(next).inserted else { continue }
      rest.formUnion((uses[next] ?? []).subtracting(reached))
    }
    return reached
  }
}

extension SourceFile {
  private static let declarations: Set<Substring> = [
    "actor", "class", "enum", "protocol", "struct", "typealias",
  ]

  /// The types that other files may name: those at the margin, but for private ones.
  var declaredTypes: Set<String> {
    Set(
      code.compactMap { line in
        guard let first = line.first, first != " ", !line.hasPrefix("private ") else { return nil }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        guard let index = words.firstIndex(where: Self.declarations.contains),
          index + 1 < words.count, !words[..<index].contains("extension")
        else { return nil }
        return String(words[index + 1])
      })
  }

  /// The words that may name a type, but for members of others.
  var usedTypes: Set<String> {
    var names: Set<String> = []
    for line in code {
      var last: Character = " "
      var word = ""
      for character in line + " " {
        if character.isLetter || character.isNumber || character == "_" {
          if word.isEmpty, last == "." { word = "." }
          word.append(character)
        } else {
          if word.first?.isUppercase == true { names.insert(word) }
          word = ""
        }
        last = character
      }
    }
    return names
  }
}
