package import HearthTransport
import HearthWire
import NIOCore

/// How phones and other machines reach this one, with `--lan`.
package struct LocalNetwork: Sendable, Equatable {
  /// A network interface, and its IPv4 address.
  package struct Interface: Sendable, Equatable {
    package let name: String
    package let address: String

    package init(_ name: String, address: String) {
      self.name = name
      self.address = address
    }
  }

  /// The address that is listened on, besides the loopback address.
  package let address: String
  /// What links and pages say: the address, or a name of this machine.
  package let name: String
  /// What the machine is called in the network.
  package var names: [String] { name == address ? [address] : [address, name] }
  /// The other interfaces, which `--lan-host` chooses.
  package let others: [Interface]

  /// `wanted` is an address of this machine, or a name that phones resolve to it.
  package init(
    _ wanted: String?, of interfaces: [Interface]
  ) throws(ConfigurationError) {
    let candidates = Self.candidates(of: interfaces)
    if let wanted, interfaces.contains(where: { $0.address == wanted }) {
      address = wanted
      name = wanted
    } else if let wanted, Hosts.isAddress(wanted) {
      throw ConfigurationError(
        "--lan-host: \(wanted) is not an address of this machine\(Self.list(candidates))")
    } else if let first = candidates.first {
      address = first.address
      name = try wanted.map(Self.checked) ?? first.address
    } else {
      throw ConfigurationError(
        "--lan: this machine has no address on a local network (choose one with --lan-host)")
    }
    let chosen = address
    others = candidates.filter { $0.address != chosen }
  }

  /// What links and Host headers say.
  package var reached: Hosts.Network { Hosts.Network(address: address, name: name) }

  private static func checked(_ name: String) throws(ConfigurationError) -> String {
    let name = name.lowercased()
    guard !name.isEmpty, name.utf8.count <= 253, !Hosts.isLoopback(name),
      name.utf8.allSatisfy({
        $0.isASCIILowercase || $0.isASCIIDigit || "-.".utf8.contains($0)
      })
    else {
      throw ConfigurationError(
        misuse: "--lan-host: '\(name)' is neither an address of this machine nor a name such as "
          + "mac.local")
    }
    return name
  }

  private static func list(_ interfaces: [Interface]) -> String {
    guard !interfaces.isEmpty else { return "" }
    return "; it has \(interfaces.map { "\($0.address) (\($0.name))" }.joined(separator: ", "))"
  }

  // MARK: Interfaces

  /// Interfaces of containers, of virtual machines and of tunnels, which do not lead to phones.
  private static let virtual = [
    "docker", "br-", "bridge", "veth", "virbr", "vmnet", "vbox", "utun", "tun", "tap", "wg",
    "tailscale", "zt", "cni", "flannel", "podman", "lxc", "lxd", "awdl", "llw", "ipsec", "ppp",
  ]

  /// Those that phones may reach, the likeliest first.
  package static func candidates(of interfaces: [Interface]) -> [Interface] {
    let reachable = interfaces.filter { interface in
      Hosts.isAddress(interface.address) && !interface.address.contains(":")
        && !interface.address.hasPrefix("127.") && !interface.address.hasPrefix("169.254.")
        && !virtual.contains(where: interface.name.hasPrefix)
    }
    // Addresses of home and office networks come before public ones.
    return reachable.filter { isPrivate($0.address) } + reachable.filter { !isPrivate($0.address) }
  }

  private static func isPrivate(_ address: String) -> Bool {
    let parts = address.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 4 else { return false }
    return parts[0] == 10 || (parts[0], parts[1]) == (192, 168)
      || parts[0] == 172 && (16...31).contains(parts[1])
  }
}

extension Configuration {
  /// Nil without `--lan`.
  package func localNetwork() throws(ConfigurationError) -> LocalNetwork? {
    guard usesLocalNetwork else { return nil }
    guard consolePort != nil else {
      throw ConfigurationError(
        misuse: "--lan and --console-port none cannot be combined: phones open the console's /setup"
      )
    }
    guard Hosts.isLoopback(host) else {
      throw ConfigurationError(misuse: "--lan and --host \(host) cannot be combined")
    }
    let devices = (try? System.enumerateDevices()) ?? []
    let interfaces = devices.compactMap { device in
      device.address?.ipAddress.map { LocalNetwork.Interface(device.name, address: $0) }
    }
    return try LocalNetwork(lanHost, of: interfaces)
  }
}
