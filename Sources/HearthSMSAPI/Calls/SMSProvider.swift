/// The gateways whose APIs are answered.
package enum SMSProvider: String, Sendable, CaseIterable {
  case twilio, vonage, messagebird, bird, sns
  case awsSMS = "aws-sms"
  case plivo, telnyx, sinch
}
