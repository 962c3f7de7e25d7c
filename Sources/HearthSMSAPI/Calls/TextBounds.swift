import HearthWire

/// How long a text may be. One call may send to a thousand numbers, so without a bound a call would
/// keep the server busy for minutes.
extension ProviderText {
  static let longestSender = 400
  private static let longestCallback = 4_096
  private static let longestMetadata = 16_384

  func check() throws(SMSRefusal) {
    guard sender.utf8.count <= Self.longestSender, channel.utf8.count <= Self.longestSender else {
      throw SMSRefusal(provider, status: 400, message: "The sender is too long.")
    }
    guard (callback?.url.utf8.count ?? 0) <= Self.longestCallback else {
      throw SMSRefusal(provider, status: 400, message: "The address for call-backs is too long.")
    }
    guard JSON.object(metadata).bytes.count <= Self.longestMetadata else {
      throw SMSRefusal(provider, status: 400, message: "The attributes are too long.")
    }
    let most = provider.longestText
    guard text.utf8.count <= 4 * most, text.unicodeScalars.count <= most else {
      throw provider.tooLong
    }
  }
}

extension SMSProvider {
  /// In code points: what a reader sees as a character may have any number of them.
  fileprivate var longestText: Int {
    switch self {
    case .twilio, .sns, .awsSMS, .plivo, .bird: 1_600
    case .vonage: 3_200
    case .messagebird: 1_377
    case .telnyx: 10 * 153
    case .sinch: 2_000
    }
  }

  fileprivate var tooLong: SMSRefusal {
    switch self {
    case .twilio:
      SMSRefusal(
        400, code: "21617",
        message: "The concatenated message body exceeds the 1600 character limit.")
    case .vonage: SMSRefusal(200, code: "12", message: "Message too long")
    case .messagebird: SMSRefusal(422, code: "10", message: "body is too long")
    case .bird: Bird.invalid(".body.text.text", "is longer than 1600 characters")
    case .sns:
      SMSRefusal(
        400, code: "InvalidParameter",
        message: "Invalid parameter: Message Reason: Message too long"
      )
    case .awsSMS:
      SMSRefusal(
        400, code: "ValidationException",
        message:
          "1 validation error detected: Value at 'messageBody' failed to satisfy constraint: "
          + "Member must have length less than or equal to 1600", place: "MessageBody")
    case .plivo: SMSRefusal(400, code: "", message: "text exceeds the limit of 1600 characters")
    case .telnyx: SMSRefusal(400, code: "40302", message: "Message too large")
    case .sinch:
      SMSRefusal(
        400, code: "syntax_constraint_violation",
        message: "Field 'body' has more than 2000 characters")
    }
  }
}
