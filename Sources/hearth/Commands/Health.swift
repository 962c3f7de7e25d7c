import ArgumentParser
import HearthTime
import HearthWire

/// `hearth health`: whether a server answers, for containers without curl.
struct Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Exit with status 0 when a server is ready.")

  @Option(help: "How long to wait, such as 500ms, 10s or 1m.")
  var wait: String = "0s"

  @Flag(help: "Print the address of every port, including those for mail.")
  var addresses = false

  @Option(help: ServerAddress.help)
  var address: String?

  func run() async throws {
    guard let patience = WaitTime(wait) else {
      throw ValidationError("--wait: '\(wait)' is not a duration such as 500ms, 10s or 1m")
    }
    let place = ServerAddress.place(address)
    let client = try LoopbackClient(checking: place)
    let clock = SystemClock()
    let deadline = clock.now + patience.duration
    repeat {
      if let reply = try? await client.get("/"), reply.status == 200 {
        if addresses { try await printAddresses(client) }
        return
      }
      await clock.wait(until: min(deadline, clock.now + .milliseconds(20)))
    } while clock.now < deadline
    throw CommandFailure("no hearth is ready at \(place)")
  }

  private func printAddresses(_ client: LoopbackClient) async throws {
    let reply = try await client.get("/emulator/v1/overview")
    for (name, value) in try JSON.parse(reply.body)["addresses"]?.object?.members ?? [] {
      for address in value.string.map({ [$0] }) ?? value.array?.compactMap(\.string) ?? [] {
        print("\(name)\t\(address)")
      }
    }
  }
}
