import HearthDirectory
import HearthErrors
import HearthEvents
import HearthFirestore
import HearthMailIn
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSeeds
import HearthSettings
import HearthSharing
import HearthTokens
import HearthTransport

/// The parts of a server that its own endpoints work with, each with a subject.
struct ServerContext: Sendable {
  /// The data: the store, what is known of projects, and Firestore.
  let exports: Exports
  let keys: KeySet
  let network: ServerNetwork
  let observation: Observation
  let projects: ProjectParts
  let overview: Overview

  var store: Store { exports.store }
  var server: ServerFacts { exports.server }
}

/// Whom the server answers, and whom it calls.
struct ServerNetwork: Sendable {
  let hosts: Hosts
  let trust: Trust
  /// Nil unless the server runs as Google.
  let google: GoogleGateway?
  let outgoingHosts: OutgoingHosts
  /// Nil if no relay is configured.
  let relay: SmtpRelay?
}

/// What is seen of calls, and what is done to them.
struct Observation: Sendable {
  let recorder: CallRecorder
  let faults: Faults
  let events: EventDispatch
}

/// Projects as a whole.
struct ProjectParts: Sendable {
  let snapshots: ProjectSnapshots
  let directory: AccountDirectory
  /// Nil without `--require-token`.
  let sharing: Sharing?
}

/// What an endpoint takes of the server: one of its parts, or a value made of a few.
protocol ServerParts: Sendable {
  static func parts(of server: ServerContext) -> Self
}

/// For an endpoint that needs nothing.
struct NoParts: ServerParts {
  static func parts(of server: ServerContext) -> NoParts { NoParts() }
}

extension Exports: ServerParts {
  static func parts(of server: ServerContext) -> Exports { server.exports }
}

extension Firestore: ServerParts {
  static func parts(of server: ServerContext) -> Firestore { server.exports.firestore }
}

extension ServerFacts: ServerParts {
  static func parts(of server: ServerContext) -> ServerFacts { server.server }
}

extension KeySet: ServerParts {
  static func parts(of server: ServerContext) -> KeySet { server.keys }
}

extension ServerNetwork: ServerParts {
  static func parts(of server: ServerContext) -> ServerNetwork { server.network }
}

extension Hosts: ServerParts {
  static func parts(of server: ServerContext) -> Hosts { server.network.hosts }
}

extension Trust: ServerParts {
  static func parts(of server: ServerContext) -> Trust { server.network.trust }
}

extension EventDispatch: ServerParts {
  static func parts(of server: ServerContext) -> EventDispatch { server.observation.events }
}
