package import HearthDirectory
package import HearthEvents
package import HearthFirestore
package import HearthMailIn
package import HearthObservation
package import HearthOperations
package import HearthSQLite
package import HearthSeeds
package import HearthSharing
package import HearthTLS
package import HearthTokens
package import HearthTransport

/// The parts of a server that its own endpoints work with, each with a subject.
package struct ServerContext: Sendable {
  /// The data: the store, what is known of projects, and Firestore.
  package let exports: Exports
  package let keys: KeySet
  package let network: ServerNetwork
  package let observation: Observation
  package let projects: ProjectParts
  package let overview: Overview

  package init(
    exports: Exports, keys: KeySet, network: ServerNetwork, observation: Observation,
    projects: ProjectParts, overview: Overview
  ) {
    self.exports = exports
    self.keys = keys
    self.network = network
    self.observation = observation
    self.projects = projects
    self.overview = overview
  }

  package var store: Store { exports.store }
  package var server: ServerFacts { exports.server }
}

/// Whom the server answers, and whom it calls.
package struct ServerNetwork: Sendable {
  package let hosts: Hosts
  package let trust: Trust
  /// Nil unless the server runs as Google.
  package let refusedHosts: RefusedHosts?
  package let outgoingHosts: OutgoingHosts
  /// Nil if no relay is configured.
  package let relay: SmtpRelay?

  package init(
    hosts: Hosts, trust: Trust, refusedHosts: RefusedHosts?, outgoingHosts: OutgoingHosts,
    relay: SmtpRelay?
  ) {
    self.hosts = hosts
    self.trust = trust
    self.refusedHosts = refusedHosts
    self.outgoingHosts = outgoingHosts
    self.relay = relay
  }
}

/// What is seen of calls, and what is done to them.
package struct Observation: Sendable {
  package let recorder: CallRecorder
  package let faults: Faults
  package let events: EventDispatch

  package init(recorder: CallRecorder, faults: Faults, events: EventDispatch) {
    self.recorder = recorder
    self.faults = faults
    self.events = events
  }
}

/// Projects as a whole.
package struct ProjectParts: Sendable {
  package let snapshots: ProjectSnapshots
  package let directory: AccountDirectory
  /// Nil without `--require-token`.
  package let sharing: Sharing?

  package init(snapshots: ProjectSnapshots, directory: AccountDirectory, sharing: Sharing?) {
    self.snapshots = snapshots
    self.directory = directory
    self.sharing = sharing
  }
}

/// What an endpoint takes of the server: one of its parts, or a value made of a few.
package protocol ServerParts: Sendable {
  static func parts(of server: ServerContext) -> Self
}

/// For an endpoint that needs nothing.
package struct NoParts: ServerParts {
  package static func parts(of server: ServerContext) -> NoParts { NoParts() }
}

extension Exports: ServerParts {
  package static func parts(of server: ServerContext) -> Exports { server.exports }
}

extension Firestore: ServerParts {
  package static func parts(of server: ServerContext) -> Firestore { server.exports.firestore }
}

extension ServerFacts: ServerParts {
  package static func parts(of server: ServerContext) -> ServerFacts { server.server }
}

extension KeySet: ServerParts {
  package static func parts(of server: ServerContext) -> KeySet { server.keys }
}

extension ServerNetwork: ServerParts {
  package static func parts(of server: ServerContext) -> ServerNetwork { server.network }
}

extension Hosts: ServerParts {
  package static func parts(of server: ServerContext) -> Hosts { server.network.hosts }
}

extension Trust: ServerParts {
  package static func parts(of server: ServerContext) -> Trust { server.network.trust }
}

extension EventDispatch: ServerParts {
  package static func parts(of server: ServerContext) -> EventDispatch { server.observation.events }
}
