import ArgumentParser
import HearthServer
import HearthServiceAccounts
import HearthSettings
import HearthTime
import HearthWire

/// `hearth service-account create`: a key file as Google writes it, for a server of ours.
struct ServiceAccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service-account", abstract: "Create the key file of a service account.",
    subcommands: [Create.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Create a local key file. It grants no access to Google Cloud.",
      usage: "hearth service-account create [<options>]",
      discussion: """
        hearth service-account create --output key.json
        hearth serve --service-account key.json
        GOOGLE_APPLICATION_CREDENTIALS=key.json npm start
        """)

    @Option(help: "The project that the account belongs to.")
    var project = Configuration.defaultProject

    @Option(
      help: """
        Where clients fetch access tokens. For a server without --as-google, such as \
        http://127.0.0.1:9099/oauth2.googleapis.com/token.
        """)
    var tokenURI = ServiceAccountFile.googleTokenURI

    @Option(help: "The file to write, which must not exist. (default: the standard output)")
    var output: String?

    @Flag(
      help: "Write the file of a person who signed in with gcloud; with --of KEYFILE.")
    var authorizedUser = false

    @Option(help: "The key file that --authorized-user belongs to.") var of: String?

    func validate() throws {
      guard WebURL(tokenURI) != nil else { throw ValidationError("'\(tokenURI)' is not a URL") }
      guard project.utf8.allSatisfy(Self.isOfProject), !project.isEmpty else {
        throw ValidationError("'\(project)' is not a project id")
      }
      if authorizedUser != (of != nil) {
        throw ValidationError("--authorized-user and --of KEYFILE must be used together")
      }
    }

    func run() throws {
      let json = try file()
      guard let output else {
        return OutputFile.standardOutput.write(
          String(decoding: json.prettyBytes, as: UTF8.self) + "\n")
      }
      do throws(ServiceAccountError) {
        try ServiceAccountFile.write(json, to: output)
      } catch {
        StandardError.say(error.description)
        throw ExitCode.failure
      }
    }

    private func file() throws -> JSON {
      let now = SystemClock().now
      if let of {
        let known: ServiceAccountFile
        do throws(ServiceAccountError) {
          known = try ServiceAccountFile(reading: of, now: now)
        } catch {
          StandardError.say(error.description)
          throw ExitCode.failure
        }
        return try known.authorizedUser()
      }
      let account = try ServiceAccount.generate(project: project, now: now)
      return try ServiceAccountFile(account, tokenURI: tokenURI).json()
    }

    private static func isOfProject(_ byte: UInt8) -> Bool {
      byte.isASCIILowercase || byte.isASCIIDigit || "-.:".utf8.contains(byte)
    }
  }
}
