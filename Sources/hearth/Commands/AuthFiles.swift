import ArgumentParser
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth auth:export FILE`: what `firebase auth:export` takes.
struct AuthExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth:export",
    abstract: "Write a project's accounts to a file, as firebase auth:export does.",
    usage: "hearth auth:export [<options>] <file>",
    discussion: OfficialOptions.shortProject)

  @OptionGroup var server: ServerAddress

  @Option(help: "csv or json. (default: as the file's name ends)")
  var format: AuthFileFormat?

  @Argument(help: "A .csv or a .json file.")
  var file: String

  func validate() throws {
    guard format != nil || AuthFileFormat(endOf: file) != nil else {
      throw ValidationError(
        "the name of the file must end with .csv or .json, or --format say csv or json")
    }
  }

  func run() async throws {
    let path = URL(fileURLWithPath: file).path
    let answer = try await Progress.show("exporting to \(path)") {
      try await server.ask(
        "POST", path: "/emulator/v1/projects/\(server.projectSegment):export",
        body: .members(["file": .string(path), "format": (format?.rawValue).json]))
    }
    let count = answer["exported"]?.integer ?? 0
    print("Exported \(count) \(count == 1 ? "account" : "accounts") to \(path).")
  }
}

/// `hearth auth:import FILE`: what `firebase auth:import` takes.
struct AuthImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth:import",
    abstract: "Read accounts from a file of firebase auth:export.",
    usage: "hearth auth:import [<options>] <file>",
    discussion: "Existing accounts are not changed. " + OfficialOptions.shortProject)

  @OptionGroup var server: ServerAddress
  @OptionGroup(title: "How passwords are hashed") var hash: HashOptions

  @Argument(help: "A .csv or a .json file.")
  var file: String

  func validate() throws {
    guard AuthFileFormat(endOf: file) != nil else {
      throw ValidationError("the name of the file must end with .csv or .json")
    }
  }

  func run() async throws {
    try await Import.run(URL(fileURLWithPath: file).path, hash: hash, at: server)
  }
}

/// The forms of a file of accounts.
enum AuthFileFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json

  init?(argument: String) { self.init(rawValue: argument.lowercased()) }

  init?(endOf file: String) {
    guard let format = Self.allCases.first(where: { file.hasSuffix(".\($0.rawValue)") }) else {
      return nil
    }
    self = format
  }
}

/// How the passwords of a file were hashed, in the words of `firebase auth:import`.
struct HashOptions: ParsableArguments {
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

  @Option(help: "The parallelization of STANDARD_SCRYPT.")
  var parallelization: Int64?

  @Option(help: "The block size of STANDARD_SCRYPT.")
  var blockSize: Int64?

  @Option(help: "The length of the derived key of STANDARD_SCRYPT.")
  var dkLen: Int64?

  @Option(help: "SALT_FIRST or PASSWORD_FIRST, where a hash is of both.")
  var hashInputOrder: Order?

  enum Order: String, ExpressibleByArgument, CaseIterable {
    case saltFirst = "SALT_FIRST"
    case passwordFirst = "PASSWORD_FIRST"

    init?(argument: String) { self.init(rawValue: argument.uppercased()) }

    fileprivate var json: JSON {
      self == .saltFirst ? "SALT_AND_PASSWORD" : "PASSWORD_AND_SALT"
    }
  }

  /// The parameters of `accounts:batchCreate`.
  var json: JSON {
    let isStandard = hashAlgo?.uppercased() == "STANDARD_SCRYPT"
    return .members([
      "hashAlgorithm": hashAlgo.json, "signerKey": hashKey.json,
      "saltSeparator": saltSeparator.json, "rounds": rounds.map(JSON.int),
      "memoryCost": isStandard ? nil : memCost.map(JSON.int),
      "cpuMemCost": isStandard ? memCost.map(JSON.int) : nil,
      "parallelization": parallelization.map(JSON.int), "blockSize": blockSize.map(JSON.int),
      "dkLen": dkLen.map(JSON.int), "passwordHashOrder": hashInputOrder?.json,
    ])
  }
}
