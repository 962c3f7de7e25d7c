import ArgumentParser
import HearthServer
import HearthSettings
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `hearth doctor` prints: a line for each thing that a server needs, or that clients look at.
struct MachineCheck {
  /// Prints the lines.
  ///
  /// - Throws: status 1 where a server would not start.
  func run() async throws {
    print("\(HearthCommand.version)\n")
    var isGood = true
    do throws(ConfigurationError) {
      let checkup = Checkup(try HearthSettings.Configuration(flags: .init(flags: [:])))
      for line in checkup.lines {
        Self.show(line.finding, subject: line.subject, words: line.words)
      }
      isGood = !checkup.lines.contains { $0.finding == .bad }
    } catch {
      Self.show(.bad, subject: "settings", words: error.description)
      isGood = false
    }
    await Self.showServer()
    print(isGood ? "\nA server can start here." : "\nA server would not start here.")
    guard isGood else { throw ExitCode.failure }
  }

  private static func show(_ finding: Checkup.Finding, subject: String, words: String) {
    let mark =
      switch finding {
      case .good: "ok   "
      case .warning: "note "
      case .bad: "FAIL "
      }
    let padding = String(repeating: " ", count: max(0, 11 - subject.count))
    print("\(mark) \(subject)\(padding) \(words)")
  }

  /// The server that the other commands would call, and where SDKs are sent.
  private static func showServer() async {
    let place = ServerAddress.place(nil)
    await show(
      .good, subject: "server", words: reply(from: place) ?? "no hearth answers at \(place)")
    let environment = ProcessInfo.processInfo.environment
    for name in ["FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST"] {
      guard let value = environment[name].nonEmpty else { continue }
      let answer = await reply(from: value)
      show(
        answer == nil ? .warning : .good, subject: "variable",
        words: "\(name)=\(value): \(answer ?? "no hearth answers there")")
    }
  }

  /// Who answers at an address; nil where no hearth does.
  private static func reply(from place: String) async -> String? {
    guard let overview = await LoopbackClient(place)?.overviewInTime() else { return nil }
    let version = overview["version"]?.string ?? ""
    return "hearth \(version) at \(place), project \(overview["defaultProject"]?.string ?? "")"
  }
}
