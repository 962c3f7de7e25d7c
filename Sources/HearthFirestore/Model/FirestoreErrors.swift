package import HearthErrors
package import HearthFirestoreProtos
import SwiftProtobuf

extension APIError {
  static func invalid(_ message: String) -> APIError {
    APIError(.invalidArgument, message: message)
  }

  /// What production says to everybody who may not do something, whatever the reason.
  package static let denied = APIError(
    .permissionDenied, message: "Missing or insufficient permissions.")
  static let beforeEpoch = invalid("Only timestamps past epoch are supported.")
  static let tooPrecise = invalid("timestamp cannot have more than microseconds precision")
  static let negativePageSize = invalid("Page size must be nonnegative.")
  static let unsetValue = invalid("Cannot convert firestore.v1.Value with type unset.")
  static let nestedArray = invalid("Cannot convert an array value in an array value.")

  /// A name in a request that is not of the request's database.
  static func otherDatabase(_ other: DatabaseName, than database: DatabaseName) -> APIError {
    .invalid(
      "The request was for database '\(database)' but was attempting to access database '\(other)'")
  }

  /// The refusal as a part of an answer: of one write of a batch, or as the cause of a target's end.
  package var rpcStatus: Google_Rpc_Status {
    .with {
      $0.code = code.row.rpc.rawValue
      $0.message = message
    }
  }
}
