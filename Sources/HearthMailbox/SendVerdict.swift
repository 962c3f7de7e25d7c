package import HearthWire

/// What a function of the app has said of a message before it was sent.
package struct SendVerdict: Sendable, Equatable {
  /// `beforeSendEmail` or `beforeSendSms`.
  package let event: String
  package let url: String
  /// `ALLOW` or `BLOCK`, where the function overrides what reCAPTCHA says.
  package let override: String?

  package init(event: String, url: String, override: String? = nil) {
    self.event = event
    self.url = url
    self.override = override
  }

  package var json: JSON {
    .members([
      "event": .string(event), "url": .string(url), "recaptchaActionOverride": override.json,
    ])
  }

  init?(_ json: JSON?) {
    guard let event = json?["event"]?.string, let url = json?["url"]?.string else { return nil }
    self.init(event: event, url: url, override: json?["recaptchaActionOverride"]?.string)
  }
}
