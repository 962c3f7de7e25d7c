import HearthErrors
import HearthOperations
import HearthWire

/// What an action link leads to, for programs and for people.
enum ActionReply {
  case missingAPIKey
  case missingCode
  case invalidMode
  case missingContinueURL
  case invalidContinueURL
  case wrongCode(mode: String)
  case codeUsedOrUnknown(mode: String)
  case codeExpired(mode: String)
  case askForPassword(OobCode, isPlaceholder: Bool, ActionLink.Request)
  /// The new password was shorter than so many characters.
  case askAgain(OobCode, minimumLength: Int, ActionLink.Request)
  case emailVerified(String?)
  case emailChanged(to: String?)
  case emailRestored(String?)
  case passwordChanged(String)
  case redirect(String)
  case refused(APIError)

  init(refusal: APIError) { self = .refused(refusal) }

  /// The answer; a page is in the language that the link names.
  func rendered(for context: Context, in language: String?) -> Answer {
    if case .redirect(let url) = self {
      return Answer(status: 303, body: .empty, headers: [("Location", Self.headerSafe(url))])
    }
    if context.acceptsHTML {
      return Answer(
        status: pageStatus,
        body: .text(page(in: .best(for: language)), contentType: ActionPage.contentType),
        headers: ActionPage.headers)
    }
    return Answer(status: status, body: .prettyJSON(JSONObject(["authEmulator": json])))
  }

  /// A header cannot hold line breaks; an address has none to lose.
  private static func headerSafe(_ url: String) -> String {
    String(
      decoding: url.utf8.flatMap { byte -> [UInt8] in
        guard byte <= 0x20 || byte >= 0x7F else { return [byte] }
        return [
          UInt8(ascii: "%"), Hex.digit(byte >> 4, uppercase: true),
          Hex.digit(byte & 0xF, uppercase: true),
        ]
      }, as: UTF8.self)
  }

  private var status: Int {
    switch self {
    case .emailVerified, .emailChanged, .emailRestored, .passwordChanged: 200
    case .askForPassword(_, isPlaceholder: _, _), .askAgain: 400
    case .refused(let error): error.code.httpStatus
    case .missingAPIKey, .missingCode, .invalidMode, .missingContinueURL, .invalidContinueURL,
      .wrongCode, .codeUsedOrUnknown, .codeExpired:
      400
    case .redirect: 303
    }
  }

  /// A form that waits to be filled in is not a failure.
  private var pageStatus: Int {
    if case .askForPassword = self { 200 } else { status }
  }

  private var json: JSON {
    switch self {
    case .missingAPIKey:
      Self.error("The apiKey parameter is missing.", "Append &apiKey=fake-api-key to the URL.")
    case .missingCode:
      Self.error("The oobCode parameter is missing.", "Open the link as it stands in the mail.")
    case .invalidMode: .members(["error": "The mode parameter is missing or invalid."])
    case .missingContinueURL:
      Self.error(
        "The continueUrl parameter is missing.",
        "Append &continueUrl= and the address of your app, which finishes the sign-in.")
    case .invalidContinueURL:
      Self.error("The continueUrl parameter is not an absolute URL.", "Check the link.")
    case .wrongCode(let mode):
      Self.error("The code does not fit the mode \(mode).", "Ask for a new code.")
    case .codeUsedOrUnknown, .codeExpired:
      Self.error(
        "The code is invalid: it may have expired, or been used already.", "Ask for a new code.")
    case .askForPassword(let oob, let isPlaceholder, _):
      .members([
        "error": isPlaceholder
          ? "NEW_PASSWORD_HERE is a placeholder, not a password."
          : "The newPassword parameter is missing.",
        "instructions": "Put the new password into the URL below, and open it.",
        "instructions2": "Or open this link in a browser, which shows a form.",
        "urlTemplate": .string(oob.link + "&newPassword=NEW_PASSWORD_HERE"),
      ])
    case .askAgain(_, let minimum, _):
      .members(["error": .string("Choose a password of at least \(minimum) characters.")])
    case .emailVerified(let email):
      .members(["success": "The e-mail address has been verified.", "email": email.json])
    case .emailChanged(let newEmail):
      .members(["success": "The e-mail address has been changed.", "newEmail": newEmail.json])
    case .emailRestored(let email):
      .members(["success": "The e-mail address has been restored.", "email": email.json])
    case .passwordChanged(let email):
      .members(["success": "The password has been changed.", "email": .string(email)])
    case .redirect(let url): .members(["success": .string(url)])
    case .refused(let error): .members(["error": .string(error.message)])
    }
  }

  private static func error(_ text: String, _ instructions: String) -> JSON {
    .members(["error": .string(text), "instructions": .string(instructions)])
  }
}
