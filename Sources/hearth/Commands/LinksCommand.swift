import ArgumentParser
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth links check`: whether an app would open the links in its mails.
struct LinksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "links", abstract: "Check whether an app opens the links in its mails.",
    subcommands: [Check.self])

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Compare an app's entitlements with the project and its mails.",
      usage: "hearth links check <file> [<options>]",
      discussion: """
        hearth links check App/App.entitlements    status 1 if a link would open the browser
        """)

    @Argument(help: "The app's .entitlements file.") var file: String
    @Option(help: "The app: the id of its team and its bundle.") var appId: String?
    @OptionGroup var server: ServerAddress

    func run() async throws {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw CommandFailure("cannot read \(file)")
      }
      let named = Entitlements.strings("application-identifier", in: text).first
      let answer = try await server.ask(
        "POST", path: "/emulator/v1/projects/\(server.projectSegment)/appLinks:check",
        body: .members([
          "associatedDomains": .strings(
            Entitlements.strings("com.apple.developer.associated-domains", in: text)),
          "appId": (appId ?? named?.withoutVariables).map(JSON.string),
        ]))
      let problems = (answer["problems"]?.array ?? []).compactMap(\.string)
      for problem in problems { print(problem) }
      guard problems.isEmpty else { throw ExitCode.failure }
      StandardError.say("the app opens \(answer["links"]?.integer ?? 0) links")
    }
  }
}

/// The texts of a property list in XML, as Xcode writes entitlements.
enum Entitlements {
  /// The text of a key, or those of its list.
  static func strings(_ key: String, in text: String) -> [String] {
    guard let start = text.firstRange(of: "<key>\(key)</key>") else { return [] }
    let rest = text[start.upperBound...].drop(while: \.isWhitespace)
    let end = rest.firstRange(of: rest.hasPrefix("<array>") ? "</array>" : "</string>")
    guard let end, rest.hasPrefix("<array>") || rest.hasPrefix("<string>") else { return [] }
    return ("." + rest[..<end.upperBound]).split(separator: "<string>").dropFirst()
      .compactMap { part in
        part.firstRange(of: "</string>").map { String(part[..<$0.lowerBound]) }
      }
  }
}

extension String {
  /// Nil for a text in which Xcode puts values of the build.
  fileprivate var withoutVariables: String? { contains("$(") ? nil : self }
}
