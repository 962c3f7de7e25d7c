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
        Files that end in .xml are strings.xml of Android; others are Localizable.strings of Apple's \
        platforms. Each takes the place of the texts of its platform. Without a file, the texts are \
        printed.
        """)

    @Argument(help: "Localizable.strings or strings.xml.", completion: .file())
    var files: [String] = []

    @Flag(help: "Forget all texts.")
    var clear = false

    @OptionGroup var server: ServerAddress

    func validate() throws {
      if clear, !files.isEmpty { throw ValidationError("--clear takes no files") }
      for platform in ["android", "ios"]
      where files.count(where: { Self.platform($0) == platform }) > 1 {
        throw ValidationError("only one file of \(platform) can be given")
      }
    }

    func run() async throws {
      let path = PushCommand.path(server, rest: "texts")
      guard !clear else {
        _ = try await server.ask("DELETE", path: path)
        return
      }
      guard !files.isEmpty else {
        print(try await server.ask("GET", path: path).text)
        return
      }
      var body = JSONObject()
      for file in files { body[Self.platform(file)] = .string(try Self.content(file)) }
      let texts = try await server.ask("PUT", path: path, body: .object(body))
      for (platform, table) in texts.object?.members ?? [] {
        print("\(platform)\t\(table.object?.members.count ?? 0)")
      }
    }

    private static func platform(_ file: String) -> String {
      file.lowercased().hasSuffix(".xml") ? "android" : "ios"
    }

    /// Older files of Apple's tools are in UTF-16, with a mark at their beginning.
    private static func content(_ file: String) throws -> String {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw ValidationError("cannot read \(file)")
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
