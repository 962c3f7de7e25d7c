/// The methods that are served over gRPC, by their paths.
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
    let run: @Sendable (GRPCExchange) async throws -> Void
  }

  private let methods: [String: Method]

  init(_ methods: [Method]) {
    self.methods = Dictionary(uniqueKeysWithValues: methods.map { ($0.path, $0) })
  }

  func find(_ path: String) -> Method? { methods[path] }
}
