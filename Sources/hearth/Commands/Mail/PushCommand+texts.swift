import ArgumentParser
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PushCommand {
  /// Hands over the texts that localisation keys stand for.
  struct Texts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "texts",
      abstract: "Hand over the app's texts, which localisation keys of messages stand for.",
      usage: "hearth push texts [<files> ...] [<options>]",
      discussion: """
        Files that end in .xml are strings.xml of Android; others are Localizable.strings or \
        Localizable.xcstrings of Apple's platforms. The folder says the language (de.lproj, values-de); \
        a catalogue has all. Each takes the place of the texts of its platform and language. Without a \
        file, the texts are printed.
        """)

    @Argument(
      help: "Localizable.strings, Localizable.xcstrings or strings.xml.", completion: .file())
    var files: [String] = []

    @Option(help: "The language of all the files. (default: that of the folder)")
    var language: String?

    @Option(help: "The language of devices that have none.")
    var projectLanguage: String?

    @Flag(help: "Forget all texts.")
    var clear = false

    @OptionGroup var server: ServerAddress

    func validate() throws {
      if clear, !files.isEmpty { throw ValidationError("--clear takes no files") }
      var seen: Set<String> = []
      for file in files {
        let place = Self.platform(file) + (place(of: file).map { " in \($0)" } ?? "")
        guard seen.insert(place).inserted else {
          throw ValidationError("only one file of \(place) can be given")
        }
      }
    }

    func run() async throws {
      let path = PushCommand.path(server, rest: "texts")
      guard !clear else {
        _ = try await server.ask("DELETE", path: path)
        return
      }
      guard !files.isEmpty || projectLanguage != nil else {
        print(try await server.ask("GET", path: path).text)
        return
      }
      Self.show(try await server.ask("PUT", path: path, body: .object(try body())))
    }

    private func body() throws -> JSONObject {
      var body = JSONObject()
      var languages = JSONObject()
      for file in files {
        let content = JSON.string(try Self.content(file))
        if let language = place(of: file) {
          var tables = languages[language]?.object ?? JSONObject()
          tables[Self.platform(file)] = content
          languages[language] = .object(tables)
        } else {
          body[Self.platform(file)] = content
        }
      }
      if !languages.isEmpty { body["languages"] = .object(languages) }
      if let projectLanguage { body["language"] = .string(projectLanguage) }
      return body
    }

    /// A line for each table: platform, number of texts, language.
    private static func show(_ texts: JSON) {
      func line(_ platform: String, _ table: JSON?, _ language: String?) {
        guard let table = table?.object else { return }
        print(
          (["\(platform)\t\(table.members.count)"] + [language].compactMap(\.self))
            .joined(separator: "\t"))
      }
      for platform in ["android", "ios"] { line(platform, texts[platform], nil) }
      for (language, tables) in texts["languages"]?.object?.members ?? [] {
        for platform in ["android", "ios"] { line(platform, tables[platform], language) }
      }
    }

    private static func platform(_ file: String) -> String {
      file.lowercased().hasSuffix(".xml") ? "android" : "ios"
    }

    /// The language of a file, nil where it has none, or several.
    private func place(of file: String) -> String? {
      guard !file.hasSuffix(".xcstrings") else { return nil }
      if let language { return language }
      let folder = file.split(separator: "/").dropLast().last ?? ""
      if folder.hasSuffix(".lproj"), folder != "Base.lproj" { return String(folder.dropLast(6)) }
      // Other qualifiers, such as `values-night`, are longer than codes of languages.
      let rest = folder.hasPrefix("values-") ? folder.dropFirst(7) : ""
      let first = rest.split(separator: "-").first ?? ""
      return rest.hasPrefix("b+") || (2...3).contains(first.count) ? String(rest) : nil
    }

    /// Older files of Apple's tools are in UTF-16, with a mark at their beginning.
    private static func content(_ file: String) throws -> String {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw CommandFailure("cannot read \(file)")
      }
      let bytes = Array(data)
      for (mark, high) in [([0xFE, 0xFF], 0), ([0xFF, 0xFE], 1)] as [([UInt8], Int)]
      where bytes.starts(with: mark) {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
          UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
        }
        return String(decoding: units, as: UTF16.self)
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw ValidationError("\(file) is neither UTF-8 nor UTF-16")
      }
      return text
    }
  }
}
