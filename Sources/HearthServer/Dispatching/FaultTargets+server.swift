import HearthObservation
import HearthOperations

extension FaultTargets {
  /// Operations that pass the faults: not the control endpoints, not documents such as the keys.
  static let ofServer = FaultTargets(
    RouteCatalogue.endpoints.filter(isFaulted).map(\.route.id) + [FirestoreRoutes.list]
      + MailFaults.Target.allCases.map(\.operation))

  private static func isFaulted(_ endpoint: Endpoint) -> Bool {
    switch endpoint.handler {
    case .operation: endpoint.route.credential != .control
    case .firestore: true
    case .server, .unimplemented: false
    }
  }
}
