#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `hearth-embed OUTPUT FOLDER FILE…`: writes the files into Swift source, each as a raw string
/// literal whose name is the file's path below the folder. Without Foundation, so that it builds
/// fast.
@main struct HearthEmbed {
  static func main() {
    let paths = CommandLine.arguments.dropFirst()
    guard let output = paths.first, let folder = paths.dropFirst().first else {
      fail("usage: hearth-embed OUTPUT FOLDER FILE…")
    }
    let files = paths.dropFirst(2).map { (name: name(of: $0, below: folder), text: read($0)) }
    var source = "/// The files of this target's `web` folder.\nenum WebFiles {\n"
    for file in files {
      guard !file.text.contains("\"\"\"##"), !file.text.contains("\\##") else {
        fail("\(file.name) has \"\"\"## or \\## in it, which Swift would take for its own")
      }
      source += "  static let `\(file.name)` = ##\"\"\"\n\(file.text)\n\"\"\"##\n\n"
    }
    source += "  /// All of them by name.\n  static let all: [String: String] = [\n"
    for file in files { source += "    \"\(file.name)\": `\(file.name)`,\n" }
    write(source + "  ]\n}\n", to: output)
  }

  private static func name(of path: String, below folder: String) -> String {
    guard path.hasPrefix(folder + "/") else { fail("\(path) is not below \(folder)") }
    return String(path.dropFirst(folder.count + 1))
  }

  private static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { fail("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
      fail("cannot write \(path)")
    }
  }

  private static func fail(_ message: String) -> Never {
    // SwiftPM shows what a tool that fails has printed.
    print("hearth-embed: \(message)")
    exit(1)
  }
}
