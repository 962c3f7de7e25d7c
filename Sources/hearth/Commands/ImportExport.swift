import ArgumentParser
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth export DIR`: writes a running server's project in the official layout.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write a project's accounts and documents to a directory, in the official layout.")

  @OptionGroup var server: ServerAddress

  @Argument(help: "The directory.")
  var directory: String

  func validate() throws {
    // A variable that is not set: the path would be the working directory.
    guard !directory.isEmpty else { throw ValidationError("the directory to export to is empty") }
  }

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

  @Option(help: "The algorithm: SCRYPT, BCRYPT, HMAC_SHA256, …")
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

  func validate() throws {
    guard !path.isEmpty else { throw ValidationError("the path to import from is empty") }
  }

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
