import Foundation

/// A hearth under measurement, on ports of its own.
final class Server {
  static let credentials =
    #"{"email":"bench@example.com","password":"secret1","returnSecureToken":true}"#
  private static let port = 19_099

  private let process = Process()

  /// Starts a server, and returns when it has answered for the first time.
  init(_ binary: String, _ flags: [String]) async throws {
    process.executableURL = URL(fileURLWithPath: binary)
    process.arguments =
      [
        "--auth-port", "\(Self.port)", "--firestore-port", "0", "--console-port", "0",
        "--log-level", "error",
      ] + flags
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    while !Self.answers() {
      guard process.isRunning else { throw Command.Failure("hearth ended before it answered") }
    }
  }

  /// Whether `GET /` is answered. By a bare socket: starting curl takes longer than starting hearth.
  private static func answers() -> Bool {
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
    let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    var reply = [UInt8](repeating: 0, count: 12)
    guard write(descriptor, request, request.count) == request.count,
      read(descriptor, &reply, reply.count) == reply.count
    else { return false }
    return String(decoding: reply, as: UTF8.self) == "HTTP/1.1 200"
  }

  private var base: String { "http://127.0.0.1:\(Self.port)" }

  func accounts(_ verb: String) -> String {
    "\(base)/identitytoolkit.googleapis.com/v1/accounts:\(verb)?key=any"
  }

  /// Makes the account that the loads use, and returns its ID token.
  func signUp() async throws -> String {
    let reply = try Command.output(
      "curl",
      [
        "-s", accounts("signUp"), "-H", "Content-Type: application/json", "-d", Self.credentials,
      ])
    struct Session: Decodable { let idToken: String }
    return try JSONDecoder().decode(Session.self, from: Data(reply.utf8)).idToken
  }

  func residentMegabytes() -> Double {
    let text = try? Command.output("ps", ["-o", "rss=", "-p", "\(process.processIdentifier)"])
    return (Double(text?.filter(\.isNumber) ?? "") ?? 0) / 1024
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
    let p99: String
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
      [
        "-t\(threads)", "-c\(connections)", "-d\(seconds)s", "--latency", "-s", script, url,
      ])
    func value(behind label: String) -> String {
      let line = text.split(separator: "\n").first { $0.contains(label) }
      return line.map { $0.split(separator: " ").last.map(String.init) ?? "" } ?? ""
    }
    guard !text.contains("Non-2xx") else { throw Command.Failure("wrk met refusals:\n" + text) }
    return Result(perSecond: Double(value(behind: "Requests/sec")) ?? 0, p99: value(behind: "99%"))
  }
}

/// Other programs.
enum Command {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  static func output(_ name: String, _ arguments: [String]) throws -> String {
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
  private let streamSocket = SOCK_STREAM
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif
