import HearthDirectory
import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthTransport
import HearthWire

/// Accounts by a part of their id, address, phone number or name, and by other conditions; in any
/// order, page by page. `accounts:query` compares whole values.
enum ListUsers: ServerOperation {
  static let parameters = [
    "q", "provider", "disabled", "verified", "factor", "tenantId", "sort", "order", "limit",
    "offset", "pageToken",
  ]

  static func run(
    _ request: ServerRequest, with control: AccountControl
  ) async throws -> OutgoingReply {
    let query = request.wire.query
    let listing = AccountListing(control.store, directory: control.directory)
    let page = try await listing.page(
      try AccountFilter { query[$0] }, page: try AccountPage { query[$0] }, in: request.project,
      tenant: query["tenantId"] == "*" ? nil : query["tenantId"] ?? "")
    return ReplyWriter.json(.object(page))
  }
}
