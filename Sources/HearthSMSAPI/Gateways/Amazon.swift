import HearthWire

/// Amazon SNS, as far as it sends texts to numbers.
/// https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
enum SNS {
  private static let namespace = "http://sns.amazonaws.com/doc/2010-03-31/"

  /// What tells it from the mails at the same address.
  static let actions: Set<String> = [
    "Publish", "CheckIfPhoneNumberIsOptedOut", "GetSMSAttributes", "SetSMSAttributes",
  ]

  static func answer(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else {
      throw SMSRefusal(403, code: "AuthorizationError", message: "The request is not signed.")
    }
    switch call.form["Action"] {
    case "Publish": return try await publish(call, context: context)
    case "CheckIfPhoneNumberIsOptedOut":
      return reply(
        "CheckIfPhoneNumberIsOptedOut", result: "<isOptedOut>false</isOptedOut>", context: context)
    case "GetSMSAttributes":
      return reply("GetSMSAttributes", result: "<attributes/>", context: context)
    case "SetSMSAttributes": return reply("SetSMSAttributes", result: "", context: context)
    default:
      throw SMSRefusal(
        400, code: "InvalidAction",
        message: "Hearth does not answer the action \((call.form["Action"] ?? "").prefix(100)).")
    }
  }

  private static func publish(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard let to = call.form["PhoneNumber"] else {
      throw SMSRefusal(
        400, code: "InvalidParameter",
        message: "Invalid parameter: Hearth publishes to a PhoneNumber only")
    }
    let number = PhoneNumbers.normal(to)
    guard PhoneNumbers.isValid(number) else {
      throw SMSRefusal(
        400, code: "InvalidParameter",
        message:
          "Invalid parameter: PhoneNumber Reason: \(to.prefix(100)) is not valid to publish to")
    }
    guard let body = call.text("Message") else {
      throw SMSRefusal(400, code: "InvalidParameter", message: "Invalid parameter: Empty message")
    }
    let id = context.uuid
    let attributes = Self.attributes(call.form)
    var text = ProviderText(
      provider: .sns, id: id, sender: attributes["AWS.SNS.SMS.SenderID"]?.string ?? "NOTICE",
      recipient: number, text: body)
    text.metadata = attributes
    _ = try await context.deliver(text)
    return reply("Publish", result: "<MessageId>\(id)</MessageId>", context: context)
  }

  private static func attributes(_ form: FormFields) -> JSONObject {
    var attributes = JSONObject()
    for number in 1...10 {
      let entry = "MessageAttributes.entry.\(number)"
      guard let name = form[entry + ".Name"], let value = form[entry + ".Value.StringValue"] else {
        break
      }
      attributes[name] = .string(value)
    }
    return attributes
  }

  private static func reply(
    _ action: String, result: String, context: SMSContext
  ) -> SMSReply {
    .xml(
      "<\(action)Response xmlns=\"\(namespace)\"><\(action)Result>\(result)</\(action)Result>"
        + "<ResponseMetadata><RequestId>\(context.uuid)</RequestId></ResponseMetadata>"
        + "</\(action)Response>")
  }

  static func reply(_ refusal: SMSRefusal) -> SMSReply {
    .xml(
      "<ErrorResponse xmlns=\"\(namespace)\"><Error>"
        + "<Type>\(refusal.status < 500 ? "Sender" : "Receiver")</Type>"
        + "<Code>\(refusal.code)</Code><Message>\(escaped(refusal.message))</Message></Error>"
        + "<RequestId>hearth</RequestId></ErrorResponse>", status: refusal.status)
  }

  private static func escaped(_ text: String) -> String {
    // XML has no control characters, not even as entities.
    String(text.map { $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 }).replacing(
      "&", with: "&amp;"
    ).replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// AWS End User Messaging. https://docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/
enum AmazonSMS {
  static let prefix = "PinpointSMSVoiceV2."

  static func send(_ call: SMSCall, context: SMSContext) async throws -> SMSReply {
    guard call.credentials != nil else {
      throw SMSRefusal(403, code: "AccessDeniedException", message: "The request is not signed.")
    }
    guard call.headers["x-amz-target"] == prefix + "SendTextMessage" else {
      throw SMSRefusal(
        400, code: "ValidationException", message: "Hearth answers SendTextMessage only.")
    }
    let number = PhoneNumbers.normal(call.text("DestinationPhoneNumber") ?? "")
    guard PhoneNumbers.isValid(number) else {
      throw SMSRefusal(
        400, code: "ValidationException", message: "DestinationPhoneNumber is not valid.",
        place: "DestinationPhoneNumber")
    }
    guard let body = call.text("MessageBody") else {
      throw SMSRefusal(
        400, code: "ValidationException", message: "MessageBody is missing.", place: "MessageBody")
    }
    let id = context.uuid
    if call.json["DryRun"]?.bool != true {
      _ = try await context.deliver(
        ProviderText(
          provider: .awsSMS, id: id, sender: call.text("OriginationIdentity") ?? "NOTICE",
          recipient: number, text: body))
    }
    var reply = SMSReply.json(.members(["MessageId": .string(id)]))
    reply.contentType = "application/x-amz-json-1.0"
    return reply
  }
}
