import ArgumentParser
import HearthServer
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The address of a running server, and the project of the request.
struct ServerAddress: ParsableArguments {
  @Option(help: "The project. (default: $GCLOUD_PROJECT or demo-hearth)")
  var project: String?

  @Option(help: ServerAddress.help)
  var address: String?

  static let help: ArgumentHelp =
    "Where hearth is. (default: $HEARTH_CONSOLE_URL, $FIREBASE_AUTH_EMULATOR_HOST or port 9099)"

  /// The address of a running server, where none is given.
  static func place(_ address: String?) -> String {
    let environment = ProcessInfo.processInfo.environment
    let scheme = environment["HEARTH_TLS"] == "true" ? "https://" : ""
    return address ?? environment["HEARTH_CONSOLE_URL"]
      ?? environment["FIREBASE_AUTH_EMULATOR_HOST"]
      ?? "\(scheme)127.0.0.1:\(environment["HEARTH_AUTH_PORT"] ?? "9099")"
  }

  func client() throws -> LoopbackClient {
    let place = Self.place(address)
    guard let client = LoopbackClient(place) else {
      throw ValidationError("'\(place)' is not an address of the form host:port")
    }
    return client
  }

  /// The project as a segment of a path.
  var projectSegment: String {
    let environment = ProcessInfo.processInfo.environment
    return PercentCoding.encodeComponent(
      project ?? environment["GCLOUD_PROJECT"] ?? environment["HEARTH_PROJECT"] ?? "demo-hearth")
  }

  /// Asks the server, and turns refusals into words.
  func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
    let answer = try await bytes(method, path, body)
    guard let json = try? JSON.parse(answer) else {
      throw CommandFailure("the answer is not JSON")
    }
    return json
  }

  /// The same for an answer that is not JSON.
  func bytes(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> [UInt8] {
    let client = try client()
    let reply: LoopbackClient.Reply
    do {
      reply = try await client.send(method, path, body: body?.bytes)
    } catch {
      throw CommandFailure(
        "no hearth answers at \(client.host):\(client.port) "
          + "(start one, or choose it with --address)")
    }
    guard reply.status == 200 else {
      let json = try? JSON.parse(reply.body)
      let message = json?["error"]?["message"]?.string
      throw CommandFailure(message.map(Self.plain) ?? "status \(reply.status)")
    }
    return reply.body
  }

  /// `NOT_FOUND : no message` without the code, which is for programs.
  private static func plain(_ message: String) -> String {
    guard let colon = message.firstRange(of: " : ") else { return message }
    let isCode = message[..<colon.lowerBound].utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    return isCode ? String(message[colon.upperBound...]) : message
  }
}

/// `hearth export DIR`: writes a running server's project in the official layout.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write a project's accounts and documents to a directory, in the official layout.")

  @OptionGroup var server: ServerAddress

  @Argument(help: "The directory.")
  var directory: String

  func run() async throws {
    let path = URL(fileURLWithPath: directory).path
    _ = try await Progress.show("exporting to \(path)") {
      try await server.ask(
        "POST", "/emulator/v1/projects/\(server.projectSegment):export",
        .members(["directory": .string(path)]))
    }
    print("Exported to \(path).")
  }
}

/// `hearth import PATH`: reads accounts and documents into a running server.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read accounts and documents from an export, or a file of firebase auth:export.",
    discussion:
      "Existing accounts are not changed; a document of the same name is replaced. The hash options "
      + "say how the passwords of a real project were hashed; its console shows them as the "
      + "project's password hash parameters."
  )

  @OptionGroup var server: ServerAddress

  @Option(help: "SCRYPT, BCRYPT (on Linux), HMAC_SHA256, …")
  var hashAlgo: String?

  @Option(help: "The signer key, in base64.")
  var hashKey: String?

  @Option(help: "The salt separator, in base64.")
  var saltSeparator: String?

  @Option(help: "The number of rounds.")
  var rounds: Int64?

  @Option(help: "The memory cost.")
  var memCost: Int64?

  @Argument(help: "A directory, a .json or a .csv file.")
  var path: String

  private static let shownRefusals = 10

  func run() async throws {
    let hash = JSON.members([
      "hashAlgorithm": hashAlgo.json, "signerKey": hashKey.json,
      "saltSeparator": saltSeparator.json, "rounds": rounds.map(JSON.int),
      "memoryCost": memCost.map(JSON.int),
    ])
    let file = URL(fileURLWithPath: path).path
    let report = try await Progress.show("importing \(file)") {
      try await server.ask(
        "POST", "/emulator/v1/projects/\(server.projectSegment):import",
        .members(["path": .string(file), "hash": hash]))
    }
    let (accounts, count) = (report["imported"]?.integer ?? 0, report["documents"]?.integer ?? 0)
    let documents = count > 0 ? " and \(count) \(count == 1 ? "document" : "documents")" : ""
    print("Imported \(accounts) \(accounts == 1 ? "account" : "accounts")\(documents).")
    let refusals = (report["refusals"]?.array ?? []).compactMap(\.string)
    for refusal in refusals.prefix(Self.shownRefusals) { print("Not imported: \(refusal)") }
    let others = refusals.count - Self.shownRefusals
    if others > 0 { print("Not imported: \(others) more") }
  }
}

/// `hearth seed dump`: writes a running server's project as a seed.
struct SeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Work with seeds, which --seed reads.",
    subcommands: [Dump.self])

  struct Dump: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dump", abstract: "Print a project as a seed.",
      discussion: "Rules are not in it: a seed names their file.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
      case json, yaml
    }

    @OptionGroup var server: ServerAddress

    @Option(help: "json or yaml.")
    var format = Format.json

    func run() async throws {
      let seed = try await server.ask("GET", "/emulator/v1/projects/\(server.projectSegment)/seed")
      switch format {
      case .json: print(String(decoding: seed.prettyBytes, as: UTF8.self))
      case .yaml: print(YAMLText.of(seed), terminator: "")
      }
    }
  }
}
