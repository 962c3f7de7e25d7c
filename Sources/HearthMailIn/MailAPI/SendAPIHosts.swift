/// The hosts of the mail providers and gateways of text messages that Hearth answers for. No project
/// has one to itself.
package enum SendAPIHosts {
  package static let all =
    [
      "api.resend.com", "api.sendgrid.com", "api.postmarkapp.com", "api.mailgun.net",
      "api.eu.mailgun.net",
    ] + regions.map { "email.\($0).amazonaws.com" } + gateways

  /// Of text messages.
  private static let gateways =
    [
      "api.twilio.com", "verify.twilio.com", "lookups.twilio.com", "rest.nexmo.com",
      "api.nexmo.com", "rest.messagebird.com", "api.bird.com", "api.plivo.com", "api.telnyx.com",
      "us.sms.api.sinch.com", "eu.sms.api.sinch.com", "zt.us.sms.api.sinch.com",
      "zt.eu.sms.api.sinch.com", "auth.sinch.com",
    ]
    + regions.flatMap { ["sns.\($0).amazonaws.com", "sms-voice.\($0).amazonaws.com"] }

  private static let regions = [
    "us-east-1", "us-east-2", "us-west-1", "us-west-2", "ca-central-1", "eu-west-1", "eu-west-2",
    "eu-west-3", "eu-central-1", "eu-north-1", "eu-south-1", "ap-south-1", "ap-southeast-1",
    "ap-southeast-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "sa-east-1",
    "af-south-1", "me-south-1", "il-central-1",
  ]
}
