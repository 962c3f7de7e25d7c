/// What the error table says of a code: how it looks on the wire.
package struct ErrorRow: Sendable {
  /// The canonical status, which gRPC sends.
  package var rpc: RPCStatus
  package var httpStatus: Int
  /// `error.status`. Nil leaves the member out, as ordinary refusals of Identity Toolkit do.
  package var status: String?
  /// `error.errors[0].reason`.
  package var reason: String
  /// `error.errors[0].domain`.
  package var domain: String? = "global"
  /// `error.message` where it is not the code's name.
  package var message: String?
  /// `error.errors[0].message` where it differs from the error's own message.
  package var itemMessage: String?
  /// The request header that is to blame, as `error.errors[0].location`.
  package var header: String?

  /// An error that shows its canonical status.
  package init(
    _ rpc: RPCStatus, httpStatus: Int? = nil, reason: String? = nil, domain: String? = "global",
    message: String? = nil, itemMessage: String? = nil, header: String? = nil
  ) {
    self.rpc = rpc
    self.httpStatus = httpStatus ?? rpc.httpStatus
    status = rpc.name
    self.reason = reason ?? rpc.reason
    self.domain = domain
    self.message = message
    self.itemMessage = itemMessage
    self.header = header
  }

  /// An ordinary refusal of Identity Toolkit: HTTP 400 without `status`. Its message is the code,
  /// or the code and the detail, separated by ` : `.
  package static let ordinary = ErrorRow.refusal()

  static func refusal(
    _ rpc: RPCStatus = .invalidArgument, httpStatus: Int = 400, reason: String = "invalid",
    domain: String? = "global", message: String? = nil
  ) -> ErrorRow {
    var row = ErrorRow(
      rpc, httpStatus: httpStatus, reason: reason, domain: domain, message: message)
    row.status = nil
    return row
  }

  /// An ordinary refusal whose message always has the same detail.
  static func refusal(_ code: String, detail: String) -> ErrorRow {
    refusal(message: "\(code) : \(detail)")
  }
}
