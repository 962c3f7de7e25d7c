import HearthMime
import HearthWire

/// The code and the link of a push message: members of its data that are called so, else what its text
/// has.
struct PushFindings {
  let code: String?
  let link: String?

  private static let codeNames = ["code", "otp", "pin", "verification_code", "verificationCode"]
  private static let linkNames = ["link", "url", "deeplink", "deep_link", "click_action"]

  init(_ message: PushMessage, shown: ShownNotification) {
    let text = [shown.title, shown.body].compactMap { $0 }.joined(separator: "\n")
    let found = MailFindings(subject: shown.title ?? "", text: text, html: nil)
    func named(_ names: [String]) -> String? {
      message.data.first { names.contains($0.key) && !$0.value.isEmpty }?.value
    }
    code = named(Self.codeNames) ?? found.code
    link =
      named(Self.linkNames) ?? found.link
      ?? message.json["webpush"]?["fcm_options"]?["link"]?.string
  }
}
