package import HearthOperations

/// A row of the route table with the server's own operation that answers it.
package struct ServerRoute: Sendable {
  package let route: Route
  package let operation: any ServerOperation.Type

  package init(_ route: Route, operation: any ServerOperation.Type) {
    self.route = route
    self.operation = operation
  }
}
