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
/// files: a process of either takes half a second.
struct ToolsVersion {
  /// Such as `15.28.1`; nil where no file says so.
  private let text: String?

  /// - Parameter program: the path of the command, which packages link to from elsewhere.
  init(of program: String) {
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
    guard let text, let needed = Self.leastJava(text), let found = Self.release(of: java),
      found < needed
    else { return nil }
    return "firebase-tools \(text) needs java \(needed), and java in PATH is \(found)"
  }

  private static func leastJava(_ version: String) -> Int? {
    Int(version.prefix { $0 != "." }).map { $0 >= 15 ? 21 : 11 }
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
