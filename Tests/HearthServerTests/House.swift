import AsyncHTTPClient
import Foundation
import HearthServer
import HearthTime
import HearthTokens
import HearthWire
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

/// A server of a test's own, on free ports, in memory, with a clock that stands still.
struct House: Sendable {
  let clock: ManualClock
  let addresses: Addresses
  let console: CapturedLog

  /// All tests share one set of keys: making one takes longer than most tests.
  private static let keys = KeySet(directory: nil, clock: ManualClock())

  /// Redirects are answers here, not something to follow.
  private static let client = HTTPClient(
    eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))

  static func open(
    _ change: @Sendable (inout Configuration) -> Void = { _ in },
    _ body: @Sendable (House) async throws -> Void
  ) async throws {
    var configuration = Configuration.ephemeral
    configuration.singleProjectMode = .noWarning
    change(&configuration)
    let clock = ManualClock()
    let console = CapturedLog()
    let logger = Logger(label: "test") { _ in console }
    let hearth = try Hearth(configuration, clock: clock, keys: keys, logger: logger)
    try await hearth.serving { addresses in
      try await body(House(clock: clock, addresses: addresses, console: console))
    }
  }

  struct Reply: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    var json: JSON { (try? JSON.parse(text)) ?? .null }
    var message: String? { json["error"]?["message"]?.string }
    subscript(member: String) -> JSON? { json[member] }
  }

  func send(
    _ method: String, _ path: String, _ body: String? = nil, port: Int? = nil,
    headers: [(String, String)] = []
  ) async throws -> Reply {
    var request = HTTPClientRequest(
      url: "http://127.0.0.1:\(port ?? addresses.authPort)\(path)")
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await Self.client.execute(request, timeout: .seconds(20))
    let bytes = try await response.body.collect(upTo: 32 << 20)
    return Reply(
      status: Int(response.status.code), headers: response.headers,
      text: String(buffer: bytes))
  }

  private static let json = ("Content-Type", "application/json")

  func post(_ path: String, _ body: JSON, headers: [(String, String)] = []) async throws -> Reply {
    try await send("POST", path, body.text, headers: [Self.json] + headers)
  }

  /// A client's call of `accounts:<verb>`.
  func accounts(_ verb: String, _ body: JSON = [:]) async throws -> Reply {
    try await post("/identitytoolkit.googleapis.com/v1/accounts:\(verb)?key=any", body)
  }

  /// An administrator's call below `/v1/projects/demo-hearth`.
  func admin(_ path: String, _ body: JSON = [:]) async throws -> Reply {
    try await post(
      "/identitytoolkit.googleapis.com/v1/projects/demo-hearth\(path)", body,
      headers: [("Authorization", "Bearer owner")])
  }

  /// An administrator's call below `/v2/projects/demo-hearth`.
  func adminV2(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Reply {
    try await send(
      method, "/identitytoolkit.googleapis.com/v2/projects/demo-hearth\(path)", body?.text,
      headers: [Self.json, ("Authorization", "Bearer owner")])
  }

  func v2(_ path: String, _ body: JSON = [:]) async throws -> Reply {
    try await post("/identitytoolkit.googleapis.com/v2/\(path)?key=any", body)
  }

  /// The emulator's own endpoints of the default project.
  func emulator(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Reply {
    try await send(
      method, "/emulator/v1/projects/demo-hearth/\(path)", body?.text, headers: [Self.json])
  }

  func signUp(_ email: String, _ password: String = "secret1") async throws -> JSON {
    let reply = try await accounts(
      "signUp", ["email": .string(email), "password": .string(password)])
    #expect(reply.status == 200, "\(reply.text)")
    return reply.json
  }

  func signIn(_ email: String, _ password: String = "secret1") async throws -> Reply {
    try await accounts(
      "signInWithPassword", ["email": .string(email), "password": .string(password)])
  }

  /// The code of a mail that was asked for.
  func oobCode(_ type: String, _ body: JSON) async throws -> String {
    var object = body.object ?? JSONObject()
    object["requestType"] = .string(type)
    let reply = try await accounts("sendOobCode", .object(object))
    #expect(reply.status == 200, "\(reply.text)")
    let mail = try await emulator("GET", "messages/latest?type=\(type)")
    return mail["oobCode"]?.string ?? ""
  }

  func setSwitches(_ switches: JSON) async throws {
    let reply = try await emulator("PATCH", "switches", switches)
    #expect(reply.status == 200, "\(reply.text)")
  }
}

/// Keeps the lines that a person would see.
final class CapturedLog: LogHandler, Sendable {
  private let kept = Mutex<[String]>([])

  var lines: [String] { kept.withLock { $0 } }
  var logLevel: Logger.Level {
    get { .info }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { kept.withLock { $0.append("\(event.message)") } }
}

/// The claims of a token, without verifying it.
func claims(_ token: JSON?) -> JSON {
  (token?.string).flatMap { JWT($0) }.map { .object($0.claims) } ?? .null
}
