import ArgumentParser

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
    abstract: "Firebase at home: Auth and Firestore emulated, with signed tokens and a mailbox.",
    version: "hearth 0.1.0",
    subcommands: [
      Serve.self, Exec.self, MailCommand.self, Export.self, Import.self, Health.self,
      RoutesCommand.self, ClockCommand.self, FaultCommand.self,
    ],
    defaultSubcommand: Serve.self)

  static func main() async {
    // A reader of our lines who goes away must not end us. NIO sees to that on Linux only.
    signal(SIGPIPE, SIG_IGN)
    await main(nil)
  }
}
