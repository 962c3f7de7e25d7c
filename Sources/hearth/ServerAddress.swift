import ArgumentParser
import HearthInstances
import HearthServer
import HearthSettings
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The address of a running server, and the project of the request.
struct ServerAddress: ParsableArguments {
  @Option(help: "The project. (default: $GCLOUD_PROJECT or demo-hearth)")
  var project: String?

  @Option(help: ServerAddress.help)
  var address: String?

  static let help: ArgumentHelp =
    "The address of the server. (default: $HEARTH_CONSOLE_URL, $FIREBASE_AUTH_EMULATOR_HOST or port 9099)"

  /// The address of a running server, where none is given.
  static func place(_ address: String?) -> String {
    let environment = ProcessInfo.processInfo.environment
    let scheme = environment["HEARTH_TLS"] == "true" ? "https://" : ""
    return address ?? environment["HEARTH_CONSOLE_URL"]
      ?? environment["FIREBASE_AUTH_EMULATOR_HOST"]
      ?? "\(scheme)127.0.0.1:\(environment["HEARTH_AUTH_PORT"] ?? "9099")"
  }

  /// No server answers at a place. One may run with other ports.
  static func silence(at place: String) -> CommandFailure {
    CommandFailure("no hearth answers at \(place) (\(remedy))")
  }

  private static var remedy: String {
    let running = InstanceFolder.standard.running().compactMap { instance in
      instance.ports.first { $0.name == "auth" }.map {
        "--address 127.0.0.1:\($0.number) in \(Instance.shown(instance.folder))"
      }
    }
    guard !running.isEmpty else { return "start one, or choose it with --address" }
    return "running: " + running.prefix(3).joined(separator: ", ")
  }

  func client() throws -> LoopbackClient {
    try LoopbackClient(checking: Self.place(address))
  }

  /// The project as a segment of a path.
  var projectSegment: String {
    let environment = ProcessInfo.processInfo.environment
    return PercentCoding.encodeComponent(
      project ?? environment["GCLOUD_PROJECT"] ?? environment["HEARTH_PROJECT"]
        ?? Configuration.defaultProject)
  }

  /// Asks the server, and turns refusals into words: `words` is what the user calls the members of
  /// the body, by their JSON pointers.
  func ask(
    _ method: String, path: String, body: JSON? = nil, words: [String: String] = [:]
  ) async throws -> JSON {
    let answer = try await bytes(method, path: path, body: body, words: words)
    guard let json = try? JSON.parse(answer) else {
      throw CommandFailure("the answer is not JSON")
    }
    return json
  }

  /// The same for an answer that is not JSON.
  func bytes(
    _ method: String, path: String, body: JSON? = nil, words: [String: String] = [:]
  ) async throws -> [UInt8] {
    let client = try client()
    let reply: LoopbackClient.Reply
    do {
      reply = try await client.send(method, path: path, body: body?.bytes)
    } catch {
      throw Self.silence(at: "\(client.host):\(client.port)")
    }
    guard reply.status == 200 else {
      let json = try? JSON.parse(reply.body)
      let message = (json?["error"]?["message"]?.string).map(Self.plain)
      if let message, reply.status == 400, let misuse = Self.misuse(message, words: words) {
        throw misuse
      }
      throw CommandFailure(message ?? "status \(reply.status)")
    }
    return reply.body
  }

  /// The complaint about a member of the body, in the words of the command line; nil for others.
  private static func misuse(_ message: String, words: [String: String]) -> Misuse? {
    let pointer = message.prefix { $0 != " " }
    guard let word = words[String(pointer)] else { return nil }
    return Misuse(word + message.dropFirst(pointer.count))
  }

  /// `NOT_FOUND : no message` without the code, which is for programs.
  private static func plain(_ message: String) -> String {
    guard let colon = message.firstRange(of: " : ") else { return message }
    let isCode = message[..<colon.lowerBound].utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    return isCode ? String(message[colon.upperBound...]) : message
  }
}
