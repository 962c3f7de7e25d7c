package import HearthErrors
package import HearthOperations
import HearthWire

extension Mailbox {
  /// What mails and pages call the app.
  package func appName() throws(APIError) -> String {
    let name = try switches().appName
    return name.isEmpty ? projectId : name
  }

  /// The language of mails: the header `X-Firebase-Locale`, else the project's default.
  package func locale(of context: Context) throws(APIError) -> String? {
    if let locale = context.locale, !locale.isEmpty { return locale }
    return try settings().config["notification"]?["defaultLocale"]?.string
  }
}
