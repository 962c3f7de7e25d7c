import HTTPTypes
import HearthErrors
import HearthEvents
import HearthSeeds
import HearthSettings
import HearthTransport
import HearthWire
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The hub: tells other programs which emulators run here, and has them exported or paused.
struct HubGateway: Sendable {
  let hosts: Hosts
  let events: EventDispatch
  let configuration: Configuration
  /// Nil when a port could not be opened.
  let addresses: @Sendable () async -> Addresses?
  let exports: Exports
  let neighbours: Neighbours
  private let table = RouteTable(HubRoutes.all)

  func respond(to call: IncomingCall) async -> OutgoingReply {
    // No web page may, whichever origin it has.
    let site = call.headers[.secFetchSite]
    guard call.headers[.origin] == nil, site == nil || site == "none", hosts.accepts(call.host)
    else {
      let reason =
        call.path == "/_admin/export"
        ? "Export cannot be triggered by external callers."
        : "The hub answers to programs on this machine only."
      return Self.message(reason, status: 403)
    }
    switch table.match(method: call.method, path: call.path) {
    case .found(let row, _): return await row.answer(self, call)
    case .wrongMethod, .unknown: return Self.message("Not Found", status: 404)
    }
  }

  // MARK: Answers

  func locator() async -> OutgoingReply {
    guard let addresses = await addresses(), let port = addresses.hubPort else {
      return Self.starting
    }
    var locator = HubLocator(addresses, port: port).json.object ?? JSONObject()
    locator["host"] = .string(addresses.reachableHost)
    locator["port"] = .int(Int64(port))
    return Self.pretty(.object(locator))
  }

  func emulators() async -> OutgoingReply {
    guard let addresses = await addresses() else { return Self.starting }
    let shown = configuration.only
    let ports: [(name: String, port: Int?)] = [
      ("hub", addresses.hubPort), ("ui", addresses.hasConsole ? addresses.consolePort : nil),
      ("auth", shown.contains("auth") ? addresses.authPort : nil),
      ("firestore", shown.contains("firestore") ? addresses.firestorePort : nil),
    ]
    var emulators = JSONObject()
    for case (let name, let port?) in ports {
      emulators.append(name, value: Self.emulator(name, addresses: addresses, port: port))
    }
    for (name, emulator) in neighbours.emulators.members { emulators.append(name, value: emulator) }
    return Self.pretty(.object(emulators))
  }

  private static func emulator(_ name: String, addresses: Addresses, port: Int) -> JSON {
    let address = addresses.host == "localhost" ? "127.0.0.1" : addresses.host
    return .members([
      "listen": [
        .members([
          "address": .string(address), "port": .int(Int64(port)),
          "family": .string(address.contains(":") ? "IPv6" : "IPv4"),
        ])
      ],
      "name": .string(name), "host": .string(addresses.reachableHost), "port": .int(Int64(port)),
    ])
  }

  func export(_ call: IncomingCall) async -> OutgoingReply {
    guard let body = try? JSON.parse(call.body), let path = body["path"]?.string,
      path.hasPrefix("/")
    else { return Self.message("The \"path\" must be an absolute path.", status: 500) }
    let names = body["targets"]?.array?.compactMap(\.string)
    let targets = Set(names.map { $0.compactMap(Exports.Target.init) } ?? Exports.Target.allCases)
    let others = neighbours.export
    guard !targets.isEmpty || others != nil else {
      return Self.message("No running emulators support import/export.", status: 500)
    }
    // A mistyped path is to be told, not made.
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: parent) else {
      return Self.message("ENOENT: no such file or directory, mkdir '\(path)'", status: 500)
    }
    do throws(APIError) {
      if !targets.isEmpty {
        try await exports.exportAll(of: configuration.project, to: path, targets: targets)
      }
    } catch {
      return Self.message(error.message, status: 500)
    }
    do throws(NeighbourFailure) {
      try await others?(path, names)
    } catch {
      return Self.message(error.message, status: 500)
    }
    return Self.message("OK", status: 200)
  }

  func disableTriggers() async -> OutgoingReply {
    guard events.isConfigured else {
      return Self.pretty(["error": .string(Self.noFunctions)], status: 400)
    }
    await events.pause()
    return Self.pretty(["enabled": false])
  }

  func enableTriggers() -> OutgoingReply {
    guard events.isConfigured else {
      var reply = ReplyWriter.text(Self.noFunctions, contentType: "text/html; charset=utf-8")
      reply.status = 400
      return reply
    }
    events.resume()
    return Self.pretty(["enabled": true])
  }

  private static let noFunctions = "The Cloud Functions emulator is not running."

  // MARK: Writing

  private static let starting = message("The emulators are starting.", status: 503)

  private static func message(_ text: String, status: Int) -> OutgoingReply {
    pretty(["message": .string(text)], status: status)
  }

  private static func pretty(_ json: JSON, status: Int = 200) -> OutgoingReply {
    var reply = OutgoingReply(status: status, body: json.prettyBytes)
    reply.headers[.contentType] = "application/json; charset=utf-8"
    return reply
  }
}
