/// The methods that are served over gRPC, by their paths. A value that all connections of a port
/// share.
package struct GRPCMethods: Sendable {
  package struct Method: Sendable {
    package enum Kind: Sendable {
      /// The client sends one message.
      case call
      /// Both sides send as long as they like.
      case stream
    }

    package let path: String
    package let kind: Kind
    /// Runs in a task of its own. What it throws becomes the status of the call.
    package let run: @Sendable (GRPCExchange) async throws -> Void

    package init(
      path: String, kind: Kind, run: @escaping @Sendable (GRPCExchange) async throws -> Void
    ) {
      self.path = path
      self.kind = kind
      self.run = run
    }
  }

  private let methods: [String: Method]
  /// The refusal of a call whose `:authority` has none of the methods; nil for one that has them.
  private var refusalAtHost: (@Sendable (_ authority: String) -> GRPCStatus?)?
  /// Whether Google's hosts share the port.
  var isOfGoogle: Bool { refusalAtHost != nil }

  package init(_ methods: [Method]) {
    self.methods = Dictionary(uniqueKeysWithValues: methods.map { ($0.path, $0) })
  }

  /// The same methods at a port that Google's hosts share.
  package func refused(
    at host: @escaping @Sendable (_ authority: String) -> GRPCStatus?
  ) -> GRPCMethods {
    var methods = self
    methods.refusalAtHost = host
    return methods
  }

  /// The method of a call, or the status that says why there is none.
  package func find(_ call: GRPCCall) -> Result<Method, GRPCStatus> {
    if let refusal = refusalAtHost?(call.authority) { return .failure(refusal) }
    guard let method = methods[call.path] else {
      return .failure(.unimplemented("Unknown method: \(call.path)"))
    }
    return .success(method)
  }
}
