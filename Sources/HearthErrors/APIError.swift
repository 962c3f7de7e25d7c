package import HearthWire

/// A refusal, as it goes to the client.
package struct APIError: Error, Sendable, Equatable {
  package let code: ErrorCode
  /// `error.message`: the code, or the code and a detail after ` : `, where SDKs cut.
  package private(set) var message: String
  /// Whether what the operation wrote before it refused is kept; the references name these cases.
  package private(set) var keepsWrites = false
  /// `error.errors[0].reason` where the row's is not precise enough.
  private var reason: String?
  /// The HTTP status that a fault asked for, in place of the row's.
  private var injectedStatus: Int?
  /// `error.details`, which only production's answers have.
  package private(set) var details: [JSON] = []

  /// Why, as JSON text, for people who look at the request log. No client gets it.
  package var explanation: String? { notes.text }
  private var notes = Notes()

  private struct Notes: Sendable, Equatable {
    var text: String?
    var productionMessage: String?
    var reasonForLog: String?

    /// Refusals with and without one are the same.
    static func == (left: Notes, right: Notes) -> Bool { true }
  }

  package func with(details: JSON...) -> APIError {
    var error = self
    error.details = details
    return error
  }

  /// Why an internal error is the right answer, for the server's log; nil where it is a mistake of
  /// the server.
  package var reasonForLog: String? { notes.reasonForLog }

  /// The same refusal, which the log does not take for a mistake of the server.
  package func because(_ reason: String) -> APIError {
    var error = self
    error.notes.reasonForLog = reason
    return error
  }

  package mutating func explain(_ explanation: String) { notes.text = explanation }

  /// The row's own message.
  package init(_ code: ErrorCode) {
    self.code = code
    message = code.row.message ?? code.name
  }

  package init(_ code: ErrorCode, detail: String, reason: String? = nil) {
    self.code = code
    message = "\(code.name) : \(detail)"
    self.reason = reason
  }

  /// For the messages that do not follow the `CODE : detail` form.
  package init(_ code: ErrorCode, message: String) {
    self.code = code
    self.message = message
  }

  /// What a fault refuses with that names an HTTP status.
  package init(injectedStatus: Int, message: String? = nil) {
    if let message {
      self.init(.injectedFault, message: message)
    } else {
      self.init(.injectedFault)
    }
    self.injectedStatus = injectedStatus
  }

  /// The same refusal, which keeps what was written; unless it says that not all of it could be.
  package var keepingWrites: APIError {
    guard code != .internalError else { return self }
    var error = self
    error.keepsWrites = true
    return error
  }

  /// The same refusal in other words.
  package func saying(_ message: String) -> APIError {
    var error = self
    error.message = message
    return error
  }

  /// What production says instead; nil where it says the same, or where only the text tells.
  package var productionMessage: String? { notes.productionMessage }

  /// The same refusal, for which production has other words.
  package func inProduction(_ message: String) -> APIError {
    var error = self
    error.notes.productionMessage = message
    return error
  }

  package static func notImplemented(_ message: String) -> APIError {
    APIError(.notImplemented, message: message)
  }

  package var httpStatus: Int { injectedStatus ?? code.httpStatus }

  /// The envelope that all Google APIs share, with `errors`, as Identity Toolkit writes it.
  package var envelope: JSON {
    let row = code.row
    return .members([
      "error": .members([
        "code": .int(Int64(httpStatus)),
        "message": .string(message),
        "errors": [
          .members([
            "message": .string(row.itemMessage ?? message),
            "reason": .string(reason ?? row.reason),
            "domain": row.domain.json,
            "location": row.header.json,
            "locationType": row.header == nil ? nil : "header",
          ])
        ],
        "status": row.status.json,
      ])
    ])
  }

  /// The envelope as Firestore writes it: the canonical status, and no `errors`.
  package var firestoreEnvelope: JSON {
    .members([
      "error": .members([
        "code": .int(Int64(httpStatus)),
        "message": .string(message),
        "status": .string(code.row.rpc.name),
        "details": details.isEmpty ? nil : .array(details),
      ])
    ])
  }
}

extension APIError: CustomStringConvertible {
  /// For people: where an error ends a command, and in the log.
  package var description: String {
    let prefix = "\(ErrorCode.internalError.name) : "
    return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }
}
