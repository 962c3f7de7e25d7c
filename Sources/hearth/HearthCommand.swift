import ArgumentParser
import CHearthBuild
import HearthOperations
import HearthServer
import HearthSettings

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `hearth`: without a subcommand, it serves.
@main
struct HearthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth",
    abstract: "A local emulator of Firebase Auth and Firestore, with signed tokens and a mailbox.",
    discussion: """
      Without a subcommand, hearth starts the server. These are its main flags;
      `hearth help serve` lists all. Each has an environment variable, and a flag
      wins over it:

        --project ID           HEARTH_PROJECT         the project (demo-hearth)
        --host ADDRESS         HEARTH_HOST            where to listen (127.0.0.1)
        --auth-port PORT       HEARTH_AUTH_PORT       Auth (9099)
        --firestore-port PORT  HEARTH_FIRESTORE_PORT  Firestore (8080)
        --console-port PORT    HEARTH_CONSOLE_PORT    the console (4000)
        --data DIR             HEARTH_DATA            keeps the data (in memory)
        --rules FILE           HEARTH_RULES           Firestore security rules
        --import PATH          HEARTH_IMPORT          accounts and documents
        --seed FILE            HEARTH_SEED            the same, as people write it

      The other commands call a running server: the one that HEARTH_CONSOLE_URL
      or FIREBASE_AUTH_EMULATOR_HOST names, or the one at port 9099.

        hearth exec -- npm test
        hearth mail --to ann@example.com --wait 10s --code
        hearth fault '*.signUp' --error UNAVAILABLE --times 1
        hearth indexes check firestore.indexes.json

      Completion for a shell: hearth --generate-completion-script bash, zsh or fish
      """,
    version: version,
    subcommands: [
      Serve.self, Exec.self, MailCommand.self, InboxCommand.self, PushCommand.self, Export.self,
      Import.self, SeedCommand.self, Health.self, PsCommand.self, RoutesCommand.self,
      ClockCommand.self, FaultCommand.self, SnapshotCommand.self, RewindCommand.self,
      IndexesCommand.self,
      LinksCommand.self,
      AppCheckCommand.self, DoctorCommand.self, ServiceAccountCommand.self, TrustCommand.self,
      MCPCommand.self, SettingsCommand.self, LimitsCommand.self, VersionCommand.self,
      EmulatorsStart.self, EmulatorsExec.self, AuthExport.self, AuthImport.self,
    ],
    defaultSubcommand: Serve.self)

  /// The second word is the version; what was built follows in parentheses.
  static let version = "hearth \(HearthVersion.text) (\(String(cString: hearth_build())))"

  static func main() async {
    let arguments = MainArguments.all
    #if os(Linux)
      // Before anything makes a thread.
      NamespaceProcess.runIfAsked(arguments)
    #endif
    // A closed pipe must not end the process. NIO handles that on Linux only.
    signal(SIGPIPE, SIG_IGN)
    if let mistake = CommandName.mistake(in: arguments) {
      StandardError.say(mistake)
      exit(withError: ExitCode(Misuse.status))
    }
    if let script = CompletionScript(asked: arguments) { return print(script.text) }
    do {
      try await run(OfficialArguments.rewritten(arguments))
    } catch {
      guard let misuse = Misuse(error) else { exit(withError: error) }
      OutputFile.standardError.write("Error: \(misuse)\n")
      exit(withError: ExitCode(Misuse.status))
    }
  }

  private static func run(_ arguments: [String]) async throws {
    let flags = arguments.first == "serve" ? Array(arguments.dropFirst()) : arguments
    if let settings = HearthSettings.Configuration.Settings(plainFlags: flags) {
      return try await Serve.run(try HearthSettings.Configuration(flags: settings))
    }
    var command = try await asyncParseAsRoot(arguments)
    guard var waiting = command as? any AsyncParsableCommand else { return try command.run() }
    try await waiting.run()
  }
}
