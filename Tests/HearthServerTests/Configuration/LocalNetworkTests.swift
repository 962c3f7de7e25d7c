import HearthTokens
import Testing

@testable import HearthServer
@testable import HearthSettings
@testable import HearthTransport

@Suite struct `The local network` {
  private static let interfaces = [
    LocalNetwork.Interface("lo", address: "127.0.0.1"), .init("docker0", address: "172.17.0.1"),
    .init("en5", address: "169.254.10.2"), .init("eth1", address: "203.0.113.9"),
    .init("en0", address: "192.168.1.5"),
    .init("en0", address: "fe80::1"), .init("utun3", address: "10.8.0.2"),
    .init("wlan0", address: "10.0.0.7"),
  ]

  @Test func `the likeliest address is that of a home network`() throws {
    let network = try LocalNetwork(nil, of: Self.interfaces)
    #expect(network.address == "192.168.1.5" && network.name == "192.168.1.5")
    #expect(network.others.map(\.address) == ["10.0.0.7", "203.0.113.9"])
  }

  @Test func `an address of this machine may be chosen, or a name`() throws {
    let chosen = try LocalNetwork("172.17.0.1", of: Self.interfaces)
    #expect(chosen.address == "172.17.0.1" && chosen.others.count == 3)
    let named = try LocalNetwork("Mac.local", of: Self.interfaces)
    #expect(named.address == "192.168.1.5" && named.name == "mac.local")
  }

  @Test(arguments: ["192.168.1.6", "localhost", "a b", "<x>", ""])
  func `what is neither is refused`(wanted: String) {
    #expect(throws: ConfigurationError.self) { try LocalNetwork(wanted, of: Self.interfaces) }
  }

  @Test func `without an address there is none`() {
    #expect(throws: ConfigurationError.self) {
      try LocalNetwork(
        nil, of: [.init("lo", address: "127.0.0.1"), .init("docker0", address: "172.17.0.1")])
    }
    #expect(throws: ConfigurationError.self) {
      var configuration = Configuration()
      configuration.usesLocalNetwork = true
      configuration.host = "0.0.0.0"
      _ = try configuration.localNetwork()
    }
  }

  private func hosts(control: Bool = false) throws -> Hosts {
    Hosts(
      bound: "127.0.0.1", allowed: [],
      network: try LocalNetwork("mac.local", of: Self.interfaces).reached,
      opensControlToNetwork: control)
  }

  @Test(arguments: ["127.0.0.1", "::1", "127.0.0.2", "::ffff:127.0.0.1", "192.168.1.5"])
  func `connections from this machine reach control endpoints`(peer: String) throws {
    #expect(try !hosts().isClosed(to: peer))
  }

  @Test(arguments: ["192.168.1.6", "::ffff:192.168.1.6", "fe80::2", "", "10.0.0.7"])
  func `connections from others do not, unless they are let`(peer: String) throws {
    #expect(try hosts().isClosed(to: peer))
    #expect(try !hosts(control: true).isClosed(to: peer))
    // Without --lan only the Host header counts, as it was.
    #expect(!Hosts(bound: "0.0.0.0", allowed: []).isClosed(to: peer))
  }

  private func call(_ host: String, isSecure: Bool = false) -> IncomingCall {
    IncomingCall(
      method: "GET", target: "/", host: host,
      servedPort: ServedPort(.auth, tokenMode: .rs256), isSecure: isSecure)
  }

  @Test func `links lead to the address in the network`() throws {
    let hosts = try hosts()
    #expect(hosts.baseURL(call("127.0.0.1:9099")) == "http://mac.local:9099")
    #expect(hosts.baseURL(call("localhost")) == "http://mac.local")
    #expect(hosts.baseURL(call("[::1]:9099")) == "http://mac.local:9099")
    #expect(hosts.baseURL(call("[::1]")) == "http://mac.local")
    #expect(hosts.baseURL(call("[::1]:9099", isSecure: true)) == "https://mac.local:9099")
    #expect(hosts.baseURL(call("192.168.1.5:9099")) == "http://192.168.1.5:9099")
    #expect(!hosts.accepts("mac.local:4000"))
    #expect(try self.hosts(control: true).accepts("mac.local:4000"))
    #expect(Hosts(bound: "127.0.0.1", allowed: []).baseURL(call("[::1]:1")) == "http://[::1]:1")
  }
}
