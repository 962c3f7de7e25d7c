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
      "Export a project's accounts and documents to a directory, in the official layout.")

  @OptionGroup var server: ServerAddress

  @Argument(help: "The directory to write to.")
  var directory: String

  func validate() throws {
    // A variable that is not set: the path would be the working directory.
    guard !directory.isEmpty else { throw ValidationError("the directory to export to is empty") }
  }

  func run() async throws {
    let path = URL(fileURLWithPath: directory).path
    _ = try await Progress.show("exporting to \(path)") {
      try await server.ask(
        "POST", path: "/emulator/v1/projects/\(server.projectSegment):export",
        body: .members(["directory": .string(path)]))
    }
    print("Exported to \(path).")
  }
}

/// `hearth import PATH`: reads accounts and documents into a running server.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import accounts and documents from an export, or from a firebase auth:export file.",
    usage: "hearth import [<options>] <path>",
    discussion:
      "Existing accounts are not changed; documents of the same name are replaced. The hash options "
      + "say how the passwords of a real project were hashed; its console shows them as the "
      + "project's password hash parameters."
  )

  @OptionGroup var server: ServerAddress

  @OptionGroup var hash: HashOptions

  @Argument(help: "A directory, a .json or a .csv file.")
  var path: String

  private static let shownRefusals = 10

  func validate() throws {
    guard !path.isEmpty else { throw ValidationError("the path to import from is empty") }
  }

  func run() async throws {
    try await Self.run(URL(fileURLWithPath: path).path, hash: hash, at: server)
  }

  /// Imports a file or a directory, and says what became of it.
  static func run(
    _ file: String, hash: HashOptions, at server: ServerAddress
  ) async throws {
    let parameters = hash.json
    let report = try await Progress.show("importing \(file)") {
      try await server.ask(
        "POST", path: "/emulator/v1/projects/\(server.projectSegment):import",
        body: .members(["path": .string(file), "hash": parameters]))
    }
    let (accounts, count) = (report["imported"]?.integer ?? 0, report["documents"]?.integer ?? 0)
    let documents = count > 0 ? " and \(count) \(count == 1 ? "document" : "documents")" : ""
    print("Imported \(accounts) \(accounts == 1 ? "account" : "accounts")\(documents).")
    if let note = report["note"]?.string { print(note) }
    let refusals = (report["refusals"]?.array ?? []).compactMap(\.string)
    for refusal in refusals.prefix(shownRefusals) { print("Not imported: \(refusal)") }
    let others = refusals.count - shownRefusals
    if others > 0 { print("Not imported: \(others) more") }
  }
}
