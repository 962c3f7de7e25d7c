import ArgumentParser
import Foundation
import HearthCore

/// `hearth fault`: adds a fault, lists them, or takes them all away.
struct FaultCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault", abstract: "Make requests fail, wait or break off, or list such faults.",
    discussion: """
      hearth fault 'identitytoolkit.accounts.*' --latency 300ms
      hearth fault identitytoolkit.accounts.signUp --error TOO_MANY_ATTEMPTS_TRY_LATER --times 1
      hearth fault            lists them
      hearth fault --clear    takes them away
      """)

  @Argument(help: "The id of an operation, or a pattern with *. `hearth routes` lists the ids.")
  var operation: String?

  @Option(help: "Wait this long, such as 300ms; or between two times, such as 100ms-2s.")
  var latency: String?

  @Option(help: "Refuse with this code, such as USER_DISABLED.")
  var error: String?

  @Option(help: "Refuse with this HTTP status.")
  var status: Int?

  @Option(help: "Drop the connection: before or after the operation runs.")
  var drop: String?

  @Option(help: "Send the answer this slowly, such as 1KB/s.")
  var slowBody: String?

  @Option(help: "The part of the requests that it hits, from 0 to 1.")
  var share: Double?

  @Option(help: "What the dice begin with; the same seed hits the same requests.")
  var seed: Int?

  @Option(help: "How often at most.")
  var times: Int?

  @Option(help: "Only requests about this address.")
  var email: String?

  @Flag(help: "Take all faults away.")
  var clear = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if clear, operation != nil {
      throw ValidationError("--clear takes all faults away; it goes with no operation")
    }
    let texts = [latency, error, drop, slowBody, email]
    let numbers = [status, seed, times]
    if operation == nil,
      share != nil || texts.contains(where: { $0 != nil }) || numbers.contains(where: { $0 != nil })
    {
      throw ValidationError("an operation is missing, such as '*.signUp'; see `hearth routes`")
    }
  }

  func run() async throws {
    let path = "/emulator/v1/projects/\(server.projectSegment)/faults"
    if clear {
      _ = try await server.ask("DELETE", path)
      return
    }
    let known = try await server.ask("GET", path)["faults"]?.array ?? []
    guard let operation else {
      for fault in known { print(fault.text) }
      return
    }
    let all = known + [rule(operation)]
    _ = try await server.ask("PUT", path, .members(["faults": .array(all)]))
  }

  private func rule(_ operation: String) -> JSON {
    var effect = JSONObject()
    if let latency {
      let ends = latency.split(separator: "-", maxSplits: 1).map(String.init)
      effect["latency"] =
        ends.count == 2
        ? .members(["min": .string(ends[0]), "max": .string(ends[1])]) : .string(latency)
    }
    effect["error"] = error.json
    effect["status"] = status.map { .int(Int64($0)) }
    effect["drop"] = drop.json
    effect["slowBody"] = slowBody.json
    return .members([
      "operation": .string(operation), "effect": .object(effect),
      "share": share.map { .double($0) },
      "seed": seed.map { .int(Int64($0)) }, "times": times.map { .int(Int64($0)) },
      "email": email.json,
    ])
  }
}
