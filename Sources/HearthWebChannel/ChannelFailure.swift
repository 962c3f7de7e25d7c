import HearthWire

/// The status other than OK a stream ends with. It travels inside the channel; HTTP stays 200.
package struct ChannelFailure: Error, Sendable, Equatable {
  /// The HTTP status Google's table gives for `status`.
  package var code: Int
  /// The canonical name, as in `PERMISSION_DENIED`.
  package var status: String
  package var message: String

  package init(code: Int, status: String, message: String) {
    self.code = code
    self.status = status
    self.message = message
  }

  /// What the SDK looks for in a message before it takes it for an answer.
  var json: String {
    JSON.members([
      "error": .members([
        "code": .int(Int64(code)), "status": .string(status), "message": .string(message),
      ])
    ]).text
  }
}
