import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which firebase-tools a program is, and whether the machine's Java does for it. Both are read from
/// files: a process of either takes half a second. A program that no file tells of, such as the script of
/// a version manager, is asked where it matters.
struct ToolsVersion {
  /// The least that any version needs which is in use, and the most.
  private static let java = (least: 11, most: 21)

  private let program: String
  /// Such as `15.28.1`; nil where no file says so.
  private let text: String?

  /// - Parameter program: the path of the command, which packages link to from elsewhere.
  init(of program: String) {
    self.program = program
    // The command is PACKAGE/lib/bin/firebase.js.
    let package = URL(fileURLWithPath: Self.resolved(program)).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let json = FileManager.default.contents(atPath: package.path + "/package.json")
      .flatMap { try? JSON.parse(Array($0)) }
    text = json?["name"]?.string == "firebase-tools" ? json?["version"]?.string : nil
  }

  /// Why there is no Java for them; nil where there is, or nothing says which.
  var withoutJava: String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    guard let java = ProgramSearch.location(of: "java", on: path) else {
      return "no java in PATH"
    }
    guard let found = Self.release(of: java), found < Self.java.most,
      let text = text ?? asked(), let needed = Self.leastJava(text), found < needed
    else { return nil }
    return "firebase-tools \(text) needs java \(needed), and java in PATH is \(found)"
  }

  private static func leastJava(_ version: String) -> Int? {
    Int(version.prefix { $0 != "." }).map {
      $0 >= 15 ? java.most : java.least
    }
  }

  /// What it says by itself.
  private func asked() -> String? {
    let quoted = program.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: #"'\''"#)
    guard let answer = popen("exec '\(quoted)' --version </dev/null 2>/dev/null", "r") else {
      return nil
    }
    defer { pclose(answer) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), answer) != nil else { return nil }
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let version = String(text.prefix { $0.isNumber || $0 == "." })
    return version.isEmpty ? nil : version
  }

  /// Of `JAVA_VERSION="17.0.15"` in the file that lies beside the folder of a JDK's programs; before
  /// version 9 they were 1.8 and so on.
  private static func release(of java: String) -> Int? {
    let home = URL(fileURLWithPath: resolved(java)).deletingLastPathComponent()
      .deletingLastPathComponent()
    guard let data = FileManager.default.contents(atPath: home.path + "/release"),
      let line = String(decoding: data, as: UTF8.self).split(separator: "\n")
        .first(where: { $0.hasPrefix("JAVA_VERSION=") })
    else { return nil }
    let numbers = line.drop { !$0.isNumber }.split { !$0.isNumber }
    return (numbers.first == "1" ? numbers.dropFirst().first : numbers.first).flatMap { Int($0) }
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
