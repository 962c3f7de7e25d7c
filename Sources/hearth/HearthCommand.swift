import ArgumentParser
import CHearthBuild
import HearthServer

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
      Without a subcommand, hearth starts the server. These are its main flags; `hearth help serve`
      lists all. Each has an environment variable, and a flag wins over it:

        --project ID            HEARTH_PROJECT         the default project (demo-hearth)
        --host ADDRESS          HEARTH_HOST            where to listen (127.0.0.1)
        --auth-port PORT        HEARTH_AUTH_PORT       Auth (9099)
        --firestore-port PORT   HEARTH_FIRESTORE_PORT  Firestore (8080)
        --console-port PORT     HEARTH_CONSOLE_PORT    the console (4000)
        --data DIR              HEARTH_DATA            where to keep data (memory only)
        --rules FILE            HEARTH_RULES           Firestore security rules
        --import PATH           HEARTH_IMPORT          accounts to start with

      The other commands call a running server: the one that HEARTH_CONSOLE_URL or
      FIREBASE_AUTH_EMULATOR_HOST names, or at port 9099.

        hearth exec -- npm test
        hearth mail --to ann@example.com --wait 10s --code
        hearth fault '*.signUp' --error UNAVAILABLE --times 1
        hearth indexes check firestore.indexes.json

      Completion for a shell: hearth --generate-completion-script bash, zsh or fish
      """,
    version: version,
    subcommands: [
      Serve.self, Exec.self, MailCommand.self, Export.self, Import.self, SeedCommand.self,
      Health.self, RoutesCommand.self, ClockCommand.self, FaultCommand.self, SnapshotCommand.self,
      IndexesCommand.self, DoctorCommand.self, ServiceAccountCommand.self, TrustCommand.self,
      MCPCommand.self, SettingsCommand.self, LimitsCommand.self, VersionCommand.self,
      EmulatorsStart.self,
      EmulatorsExec.self,
    ],
    defaultSubcommand: Serve.self)

  /// The second word is the version; what was built is behind it in parentheses.
  static let version = "hearth \(HearthVersion.text) (\(String(cString: hearth_build())))"

  static func main() async {
    #if os(Linux)
      // Before anything makes a thread.
      NamespaceProcess.runIfAsked(Array(CommandLine.arguments.dropFirst()))
    #endif
    // A closed pipe must not end the process. NIO handles that on Linux only.
    signal(SIGPIPE, SIG_IGN)
    if let mistake = CommandName.mistake(in: Array(CommandLine.arguments.dropFirst())) {
      StandardError.say(mistake)
      exit(withError: ExitCode(64))
    }
    await main(OfficialArguments.rewritten(Array(CommandLine.arguments.dropFirst())))
  }
}
