import ArgumentParser
import HearthTime
import HearthWire

/// `hearth fault`: adds a fault, lists the faults, or removes them all.
struct FaultCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault",
    abstract: "Inject errors, delays and dropped connections, or list active faults.",
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

  @Option(help: "Delay requests: a duration such as 300ms, or a range such as 100ms-2s.")
  var latency: String?

  @Option(help: "Fail with this error code, such as USER_DISABLED.")
  var error: String?

  @Option(help: "Fail with this HTTP status.")
  var status: Int?

  @Option(help: "Drop the connection: before or after the operation runs.")
  var drop: String?

  @Option(help: "Limit the rate of the answer's body, such as 1KB/s.")
  var slowBody: String?

  @Option(help: "Abort this share of Firestore commits, from 0 to 1; takes no operation.")
  var contention: Double?

  @Option(help: "The share of requests to affect, from 0 to 1.")
  var share: Double?

  @Option(help: "Random seed; the same seed affects the same requests.")
  var seed: Int?

  @Option(help: "The most requests to affect.")
  var times: Int?

  @Option(help: "Only requests about this address.")
  var email: String?

  @Option(help: "Replace the project's faults with a preset, such as regional or 3g.")
  var preset: String?

  @Flag(help: "Print faults as JSON, one per line.")
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
    try validateEffect()
  }

  private func validateEffect() throws {
    let effects = [
      ("--latency", latency != nil), ("--error", error != nil), ("--status", status != nil),
      ("--drop", drop != nil), ("--slow-body", slowBody != nil),
      ("--contention", contention != nil),
    ]
    let given = effects.filter(\.1).map(\.0)
    let all = effects.map(\.0).joined(separator: ", ")
    if operation != nil, given.isEmpty {
      throw ValidationError("the effect is missing: one of \(all)")
    }
    if given.count > 1 {
      throw ValidationError(
        "\(given.joined(separator: " and ")): a fault has exactly one of \(all)")
    }
    if let latency, !Self.isLatency(latency) {
      throw ValidationError(
        "--latency: '\(latency)' is not a duration such as 300ms, nor a range such as 100ms-2s")
    }
    if let drop, !["before", "after"].contains(drop) {
      throw ValidationError("--drop: '\(drop)' is not one of before and after")
    }
    if let status, !(400...599).contains(status) {
      throw ValidationError("--status: \(status) is not a status from 400 to 599")
    }
    if share != nil, contention != nil {
      throw ValidationError("--share and --contention cannot be combined")
    }
    let shares = [("--share", share), ("--contention", contention)]
    for case (let flag, let value?) in shares where !(0...1).contains(value) {
      throw ValidationError("\(flag): \(value) is not a number from 0 to 1")
    }
    if let times, times < 1 { throw ValidationError("--times: \(times) is not above 0") }
  }

  private static func isLatency(_ text: String) -> Bool {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      .map { WaitTime(String($0))?.duration }
    guard let first = ends[0], let last = ends[ends.count - 1] else { return false }
    return first <= last
  }

  func run() async throws {
    let path = "/emulator/v1/projects/\(server.projectSegment)/faults"
    if clear {
      let known = try await faults(at: path)
      _ = try await server.ask("DELETE", path: path)
      print("Removed \(known.count) \(known.count == 1 ? "fault" : "faults").")
      return
    }
    if let preset {
      let name = PercentCoding.encodeComponent(preset)
      _ = try await server.ask(
        "POST", path: "/emulator/v1/projects/\(server.projectSegment)/faultPresets/\(name):apply",
        body: [:])
    }
    guard operation != nil || contention != nil else {
      let known = try await faults(at: path)
      for (index, fault) in known.enumerated() {
        print(json ? fault.text : "#\(index + 1)  \(Self.words(of: fault))")
      }
      if known.isEmpty, !json { StandardError.say("no faults") }
      return
    }
    let answer = try await server.ask("POST", path: path, body: rule(operation), words: words)
    let all = answer["faults"]?.array ?? []
    guard let added = all.last else { return }
    print(json ? added.text : "Added #\(all.count)  \(Self.words(of: added))")
  }

  private func faults(at path: String) async throws -> [JSON] {
    try await server.ask("GET", path: path)["faults"]?.array ?? []
  }

  /// What the user calls the places in the body that the server complains about.
  private var words: [String: String] {
    var words = ["/operation": "'\(operation ?? "")'", "/effect/slowBody": "--slow-body"]
    for name in ["latency", "error", "status", "drop", "contention"] {
      words["/effect/\(name)"] = "--\(name)"
    }
    for name in ["share", "seed", "times", "email"] { words["/\(name)"] = "--\(name)" }
    return words
  }

  /// `identitytoolkit.accounts.signUp: error UNAVAILABLE, half of the calls, 1 of 3 left`.
  static func words(of fault: JSON) -> String {
    let isOfMail = fault["operation"]?.string?.hasPrefix("mail.") == true
    var parts = [effect(fault["effect"] ?? .null, protocolName: isOfMail ? "SMTP" : "HTTP")]
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

  private static func effect(_ effect: JSON, protocolName: String) -> String {
    guard let (name, value) = effect.object?.members.first else { return effect.text }
    switch (name, value) {
    case ("latency", .string(let time)): return "\(time) late"
    case ("latency", _):
      return "\(value["min"]?.string ?? "") to \(value["max"]?.string ?? "") late"
    case ("error", _): return "error \(value.string ?? "")"
    case ("status", _):
      let text = effect["text"].map { " \($0.text)" } ?? ""
      return "\(protocolName) status \(value.text)\(text)"
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
