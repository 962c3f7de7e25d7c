import HearthWire

/// The lines of the official tools, as they stand between those of this server.
package struct SuiteLog: Sendable {
  /// Whether their emulators have said that they are ready.
  package private(set) var isReady = false

  private static let marks = ["i  ", "⚠  ", "✔  ", "✖  ", "⬢  ", ">  ", "!  "]
  /// What the table of addresses is drawn with.
  private static let frame: Set<Character> = ["┌", "│", "├", "└", "─"]
  /// True of their process alone.
  private static let ownWords = [
    "multiple instances of the emulator suite", "Emulator Hub host:", "Emulator Hub running at",
    "Other reserved ports:", "Please wait for a clean shutdown", "The Emulator UI is not starting",
    "Issues? Report them at",
  ]
  private static let production = "will affect production: "
  private static let ignored = "function ignored because the "
  /// The emulators that are this server's.
  private let played: Set<Substring>

  package init(played: Set<String>) { self.played = Set(played.map { $0[...] }) }

  /// The line to show; nil for one that says nothing new, or what is not so here.
  package mutating func shown(_ line: String) -> String? {
    let line = Self.plain(line)
    if line.contains("All emulators ready!") {
      isReady = true
      return nil
    }
    guard let first = line.first(where: { $0 != " " }), !Self.frame.contains(first),
      !Self.ownWords.contains(where: line.contains)
    else { return nil }
    guard let line = withoutPlayed(line).map(asWired) else { return nil }
    return Self.marks.contains(where: line.hasPrefix) ? line : "i  suite: \(line)"
  }

  /// Calls to those that are here affect nothing else.
  private func withoutPlayed(_ line: String) -> String? {
    guard let range = line.firstRange(of: Self.production) else { return line }
    let names = line[range.upperBound...].split(separator: ",").map { $0.drop { $0 == " " } }
    let others = names.filter { !played.contains($0) }
    return others.isEmpty ? nil : line[..<range.upperBound] + others.joined(separator: ", ")
  }

  /// A function that the tools leave out, because an emulator is not theirs, is called from here.
  private func asWired(_ line: String) -> String {
    guard let range = line.firstRange(of: Self.ignored) else { return line }
    let emulator = line[range.upperBound...].prefix { $0 != " " }
    guard played.contains(emulator) else { return line }
    // After the mark: `functions[REGION-NAME]: `.
    let name = line[..<range.lowerBound].drop { $0 != "f" }
    return "✔  \(name)\(emulator) function initialized."
  }

  /// Without the colours of terminals.
  private static func plain(_ line: String) -> String {
    var plain = ""
    var isInEscape = false
    for character in line.unicodeScalars {
      if character == "\u{1B}" {
        isInEscape = true
      } else if isInEscape {
        isInEscape = !("A"..."Z").contains(character) && !("a"..."z").contains(character)
      } else if character.value >= 32 || character == "\t" {
        plain.unicodeScalars.append(character)
      }
    }
    return plain
  }
}
