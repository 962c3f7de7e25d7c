/// The methods that are served over gRPC, by their paths. A value that all connections of a port
/// share.
struct GRPCMethods: Sendable {
  struct Method: Sendable {
    enum Kind: Sendable {
      /// The client sends one message.
      case call
      /// Both sides send as long as they like.
      case stream
    }

    let path: String
    let kind: Kind
    /// Runs in a task of its own. What it throws becomes the status of the call.
    let run: @Sendable (GRPCExchange) async throws -> Void
  }

  private let methods: [String: Method]
  /// Set at the port of Google's hosts, each of which has methods of its own.
  private(set) var google: GoogleGateway?

  init(_ methods: [Method]) {
    self.methods = Dictionary(uniqueKeysWithValues: methods.map { ($0.path, $0) })
  }

  /// The same methods, at the host of Firestore.
  func played(by google: GoogleGateway) -> GRPCMethods {
    var methods = self
    methods.google = google
    return methods
  }

  /// Nil where `refusal(of:)` says why. Google's hosts share a port, and `:authority` tells which
  /// of them is meant.
  func find(_ call: GRPCCall) -> Method? {
    guard let google else { return methods[call.path] }
    return google.servesFirestore(call.authority) ? methods[call.path] : nil
  }

  /// The status of a call to an unknown method.
  func refusal(of call: GRPCCall) -> GRPCStatus {
    if let google, !google.servesFirestore(call.authority) {
      return google.refusal(of: call.authority)
    }
    return .unimplemented("Unknown method: \(call.path)")
  }
}
