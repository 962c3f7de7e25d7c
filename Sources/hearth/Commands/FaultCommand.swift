import ArgumentParser
import HearthWire

/// `hearth fault`: adds a fault, lists the faults, or removes them all.
struct FaultCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault", abstract: "Make requests fail, wait or break off, or list such faults.",
    discussion: """
      hearth fault 'identitytoolkit.accounts.*' --latency 300ms
      hearth fault --contention 0.2 --seed 1
      hearth fault identitytoolkit.accounts.signUp --error TOO_MANY_ATTEMPTS_TRY_LATER --times 1
      hearth fault --preset 3g
      hearth fault            lists faults
      hearth fault --clear    removes them
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

  @Option(help: "Abort this share of the commits of Firestore, from 0 to 1; without an operation.")
  var contention: Double?

  @Option(help: "The share of the requests that it hits, from 0 to 1.")
  var share: Double?

  @Option(help: "Random seed; the same seed hits the same requests.")
  var seed: Int?

  @Option(help: "How often at most.")
  var times: Int?

  @Option(help: "Only requests about this address.")
  var email: String?

  @Option(help: "Make the faults of this preset those of the project, such as regional or 3g.")
  var preset: String?

  @Flag(help: "Print faults as JSON, one for each line.")
  var json = false

  @Flag(help: "Remove all faults.")
  var clear = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if clear, operation != nil {
      throw ValidationError("--clear removes all faults and takes no operation")
    }
    if preset != nil, clear || operation != nil || contention != nil {
      throw ValidationError("--preset replaces all faults and takes neither --clear nor a fault")
    }
    let texts = [latency, error, drop, slowBody, email]
    let numbers = [status, seed, times]
    if operation == nil, contention == nil,
      share != nil || texts.contains(where: { $0 != nil }) || numbers.contains(where: { $0 != nil })
    {
      throw ValidationError("an operation is missing, such as '*.signUp'; see `hearth routes`")
    }
  }

  func run() async throws {
    let path = "/emulator/v1/projects/\(server.projectSegment)/faults"
    if clear {
      let known = try await faults(at: path)
      _ = try await server.ask("DELETE", path)
      print("Removed \(known.count) \(known.count == 1 ? "fault" : "faults").")
      return
    }
    if let preset {
      let name = PercentCoding.encodeComponent(preset)
      _ = try await server.ask(
        "POST", "/emulator/v1/projects/\(server.projectSegment)/faultPresets/\(name):apply", [:])
    }
    guard operation != nil || contention != nil else {
      let known = try await faults(at: path)
      for (index, fault) in known.enumerated() {
        print(json ? fault.text : "#\(index + 1)  \(Self.words(fault))")
      }
      if known.isEmpty, !json { StandardError.say("no faults") }
      return
    }
    let all = try await add(rule(operation), at: path)["faults"]?.array ?? []
    guard let added = all.last else { return }
    print(json ? added.text : "Added #\(all.count)  \(Self.words(added))")
  }

  private func faults(at path: String) async throws -> [JSON] {
    try await server.ask("GET", path)["faults"]?.array ?? []
  }

  private func add(_ rule: JSON, at path: String) async throws -> JSON {
    do {
      return try await server.ask("POST", path, rule)
    } catch let failure as CommandFailure {
      throw CommandFailure(inFlags(failure.description))
    }
  }

  /// The server names the place in the body, such as `/effect/error`; the user has given a flag.
  private func inFlags(_ complaint: String) -> String {
    guard complaint.hasPrefix("/") else { return complaint }
    let pointer = complaint.prefix { $0 != " " }
    let name =
      switch pointer {
      case "/operation": "'\(operation ?? "")'"
      case "/effect": "the fault"
      case "/effect/slowBody": "--slow-body"
      default: "--\(pointer.split(separator: "/").last ?? "")"
      }
    return name + complaint.dropFirst(pointer.count)
  }

  /// `identitytoolkit.accounts.signUp: error UNAVAILABLE, half of the calls, 1 of 3 left`.
  static func words(_ fault: JSON) -> String {
    var parts = [effect(fault["effect"] ?? .null)]
    switch fault["share"] {
    case .int(let share)? where share != 1: parts.append("\(share * 100) % of calls")
    case .double(let share)? where share != 1: parts.append("\(share * 100) % of calls")
    default: break
    }
    if let email = fault["email"]?.string { parts.append("only \(email)") }
    let hits = fault["hits"]?.integer ?? 0
    parts.append(hits == 1 ? "1 hit" : "\(hits) hits")
    if let left = fault["remaining"]?.integer {
      parts.append(left == 0 ? "spent" : "\(left) left")
    }
    return "\(fault["operation"]?.string ?? ""): \(parts.joined(separator: ", "))"
  }

  private static func effect(_ effect: JSON) -> String {
    guard let (name, value) = effect.object?.members.first else { return effect.text }
    switch (name, value) {
    case ("latency", .string(let time)): return "\(time) late"
    case ("latency", _):
      return "\(value["min"]?.string ?? "") to \(value["max"]?.string ?? "") late"
    case ("error", _): return "error \(value.string ?? "")"
    case ("status", _): return "HTTP status \(value.text)"
    case ("drop", _):
      return value.string == "after" ? "the answer is lost" : "the call is lost"
    case ("contention", .bool): return "commits are aborted"
    case ("contention", _): return "\(value.text) of the commits aborted"
    case ("slowBody", _): return "the answer comes at \(value.string ?? "")"
    default: return effect.text
    }
  }

  private func rule(_ operation: String?) -> JSON {
    var effect = JSONObject()
    effect["contention"] = contention.map { .double($0) }
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
      "operation": operation.json, "effect": .object(effect),
      "share": share.map { .double($0) },
      "seed": seed.map { .int(Int64($0)) }, "times": times.map { .int(Int64($0)) },
      "email": email.json,
    ])
  }
}
