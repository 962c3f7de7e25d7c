import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server under measurement, on ports of its own. Unchecked for macOS, whose `Process` does not
/// say that it can be shared; only the initialiser sets it up.
final class Server: @unchecked Sendable {
  /// Makes a fresh one.
  typealias Start = () async throws -> Server

  static let credentials =
    #"{"email":"bench@example.com","password":"secret1","returnSecureToken":true}"#
  static let project = "demo-hearth"
  /// The name of all documents' parent.
  static let documents = "projects/\(project)/databases/(default)/documents"

  /// Every port serves everything: this one serves Firestore too.
  let port: Int
  private let process = Process()

  /// Starts a server, and returns when it has answered for the first time.
  convenience init(_ binary: String, flags: [String] = [], port: Int = 19_099) async throws {
    let ports = [
      "--auth-port", "\(port)", "--firestore-port", "0", "--console-port", "0", "--hub-port",
      "none",
    ]
    try await self.init(
      command: [binary] + ports + ["--project", Self.project, "--log-level", "error"] + flags,
      port: port)
  }

  private init(command: [String], port: Int) async throws {
    self.port = port
    // Otherwise the answers would be another server's.
    guard !Self.answers(port) else { throw Command.Failure("port \(port) is in use") }
    // A path is started as it is: looking for it would be a part of the time.
    let isPath = command[0].contains("/")
    process.executableURL = URL(fileURLWithPath: isPath ? command[0] : "/usr/bin/env")
    process.arguments = Array(command.dropFirst(isPath ? 1 : 0))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    while !Self.answers(port) {
      guard process.isRunning else {
        throw Command.Failure("\(command[0]) ended before it answered")
      }
    }
  }

  /// How the official Firestore emulator is started, where the variable holds its command with PORT
  /// in place of the port; nil where it is not installed.
  static var officialFirestore: Start? {
    guard let command = ProcessInfo.processInfo.environment["FIRESTORE_EMULATOR_COMMAND"] else {
      return nil
    }
    let port = 19_199
    let words = command.replacing("PORT", with: "\(port)").split(separator: " ").map(String.init)
    return { try await Server(command: words, port: port) }
  }

  /// Starts servers that run side by side.
  static func several(
    _ count: Int, binary: String, flags: [String] = []
  ) async throws -> [Server] {
    var servers: [Server] = []
    do {
      for index in 0..<count {
        servers.append(try await Server(binary, flags: flags, port: 19_099 - index))
      }
    } catch {
      for server in servers { server.stop() }
      throw error
    }
    return servers
  }

  /// Whether a GET is answered. By a bare socket: starting curl takes longer than starting hearth.
  static func answers(_ port: Int, path: String = "/") -> Bool {
    let descriptor = socket(AF_INET, streamSocket, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard isConnected == 0 else {
      usleep(200)
      return false
    }
    let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    var reply = [UInt8](repeating: 0, count: 12)
    guard write(descriptor, request, request.count) == request.count,
      read(descriptor, &reply, reply.count) == reply.count
    else { return false }
    return String(decoding: reply, as: UTF8.self) == "HTTP/1.1 200"
  }

  var address: String { "127.0.0.1:\(port)" }
  private var base: String { "http://\(address)" }

  func accounts(_ verb: String) -> String {
    "\(base)/identitytoolkit.googleapis.com/v1/accounts:\(verb)?key=any"
  }

  /// For administrators.
  func projectAccounts(_ verb: String) -> String {
    "\(base)/identitytoolkit.googleapis.com/v1/projects/\(Self.project)/accounts:\(verb)"
  }

  /// Where push messages are sent.
  var messages: String { "\(base)/v1/projects/\(Self.project)/messages:send" }

  /// A document or a verb of Firestore.
  func documents(_ rest: String) -> String { "\(base)/v1/\(Self.documents)\(rest)" }

  /// What is set and emptied for the whole project.
  func project(_ rest: String) -> String { "\(base)/emulator/v1/projects/\(Self.project)\(rest)" }

  func clearDocuments() async throws {
    try await Client.send("DELETE", url: project("/databases/(default)/documents"))
  }

  /// Makes the account that the loads use, and returns its ID token.
  func signUp() async throws -> String {
    let reply = try Command.output(
      "curl",
      arguments: [
        "-s", accounts("signUp"), "-H", "Content-Type: application/json", "-d", Self.credentials,
      ])
    struct Session: Decodable { let idToken: String }
    return try JSONDecoder().decode(Session.self, from: Data(reply.utf8)).idToken
  }

  func residentMegabytes() -> Double {
    let text = try? Command.output(
      "ps", arguments: ["-o", "rss=", "-p", "\(process.processIdentifier)"])
    return (Double(text?.filter(\.isNumber) ?? "") ?? 0) / 1024
  }

  /// The most that was ever resident; nil where the system does not tell.
  func peakMegabytes() -> Double? {
    // VmHWM:   40960 kB
    let text = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1024 }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// The load generator.
enum Wrk {
  struct Result {
    let perSecond: Double
    /// In milliseconds.
    let median: Double
    let p99: String
  }

  /// Single requests, one after the other.
  struct Load {
    let url: String
    let script: String
  }

  static func script(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-bench.lua")
    try text.write(to: path, atomically: true, encoding: .utf8)
    return path.path
  }

  static func run(
    _ script: String, url: String, connections: Int, threads: Int, seconds: Int
  ) throws -> Result {
    let text = try Command.output(
      "wrk",
      arguments: [
        "-t\(threads)", "-c\(connections)", "-d\(seconds)s", "--latency", "-s", script, url,
      ])
    func value(after label: String) -> String {
      let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
      return lines.first { $0.first == label[...] }?.last.map(String.init) ?? ""
    }
    guard !text.contains("Non-2xx") else { throw Command.Failure("wrk met refusals:\n" + text) }
    let perSecond = Double(value(after: "Requests/sec:")) ?? 0
    guard perSecond > 0 else { throw Command.Failure("wrk met no answer:\n" + text) }
    return Result(
      perSecond: perSecond, median: milliseconds(value(after: "50%")), p99: value(after: "99%"))
  }

  /// Reads one address again and again, by 16 connections.
  static func get(_ url: String, seconds: Int) throws -> Result {
    try run(
      try script("wrk.method = 'GET'"), url: url, connections: 16, threads: 2, seconds: seconds)
  }

  /// `635.91us`, `1.02ms` or `2.00s`.
  private static func milliseconds(_ text: String) -> Double {
    let number = Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
    switch text.drop(while: { $0.isNumber || $0 == "." }) {
    case "us": return number / 1000
    case "ms": return number
    case "s": return number * 1000
    default: return .nan
    }
  }

  /// The median time of a single request of each load, in milliseconds.
  ///
  /// The loads take turns, and the quietest of the rounds counts: what else the machine does only
  /// adds. A round takes a second, or five where that is not enough for 200 requests.
  static func medians(_ loads: [Load], rounds: Int) throws -> [Double] {
    var medians = [Double](repeating: .infinity, count: loads.count)
    for _ in 0..<rounds {
      for (index, load) in loads.enumerated() {
        let path = try script(load.script)
        var result = try run(path, url: load.url, connections: 1, threads: 1, seconds: 1)
        if result.perSecond < 200 {
          result = try run(path, url: load.url, connections: 1, threads: 1, seconds: 5)
        }
        medians[index] = min(medians[index], result.median)
      }
    }
    return medians
  }

  /// A script of POST requests: in the body the Lua expression `pick`, evaluated again for each
  /// request, takes the place of the word PICK.
  static func posting(_ body: String, pick: String, isOwner: Bool = true) -> String {
    """
    wrk.headers['Content-Type'] = 'application/json'
    \(isOwner ? "wrk.headers['Authorization'] = 'Bearer owner'" : "")
    function request()
      return wrk.format('POST', nil, nil, '\(body.replacing("PICK", with: "' .. \(pick) .. '"))')
    end
    """
  }
}

/// Other programs.
enum Command {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  static func output(_ name: String, arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    unblockSignals()
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure("\(name) failed; is it installed?")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Threads of the runtime block all signals, and children inherit that: `openssl speed` would wait
  /// for its alarm for ever.
  private static func unblockSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}

#if canImport(Darwin)
  let streamSocket = SOCK_STREAM
#else
  let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif
