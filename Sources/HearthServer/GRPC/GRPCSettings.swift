import GRPCCore
import GRPCNIOTransportHTTP2Posix

extension AdoptingTransport.Config {
  /// The largest message either side may send.
  static var maximumMessageSize: Int { 16 << 20 }

  /// For connections that stay for as long as their client wants.
  static var longLived: Self {
    var config = defaults
    // This initialiser also leaves flushes uncoalesced, which would delay every answer.
    config.connection = .init(
      maxAge: nil, maxGraceTime: nil, maxIdleTime: nil,
      keepalive: .init(
        time: .seconds(2 * 60 * 60), timeout: .seconds(20),
        // Clients may ping as often as they like, or they are sent away with too_many_pings.
        clientBehavior: .init(minPingIntervalWithoutCalls: .zero, allowWithoutCalls: true)))
    // Windows as small as the default would make a large message wait for many round trips.
    config.http2.targetWindowSize = 1 << 20
    // Without a number NIO advertises no limit, and ends the connection at the 101st stream.
    config.http2.maxConcurrentStreams = 2000
    config.rpc.maxRequestPayloadSize = maximumMessageSize
    config.compression.enabledAlgorithms = .all
    return config
  }
}
