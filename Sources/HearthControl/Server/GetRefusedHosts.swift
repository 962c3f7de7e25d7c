import HearthObservation
import HearthTransport
import HearthWire

/// The hosts that were asked for and that are not played.
enum GetRefusedHosts: ServerOperation {
  static func run(
    _ request: ServerRequest, with network: ServerNetwork
  ) async throws -> OutgoingReply {
    ReplyWriter.json(network.refusedHosts?.json ?? ["hosts": [], "others": 0])
  }
}
