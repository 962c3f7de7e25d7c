import HearthErrors
import HearthIdentityToolkit
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
  case codeUsedOrUnknown(mode: String, isUsed: Bool)
  case codeExpired(mode: String)
  case askForPassword(
    OobCode, PasswordPolicy, isPlaceholder: Bool, ActionLink.Request, openLink: String)
  /// The new password does not meet the requirements.
  case askAgain(OobCode, PasswordPolicy, ActionLink.Request)
  case done(ActionSuccess)
  /// It worked, and the link leads on.
  case onward(ActionSuccess, to: String, MobileApp)
  /// A link to sign in, which the app takes at this address.
  case signIn(to: String, MobileApp, link: String)
  case refused(APIError)

  init(refusal: APIError) { self = .refused(refusal) }

  /// The answer. Programs are sent on to any address, as by the official emulator; a browser to
  /// those of the web only, and not where a page can offer it an app.
  func rendered(
    at place: ActionPlace, for context: Context, page: () throws(APIError) -> ActionPage
  ) throws(APIError) -> Answer {
    let showsPage = place.showsPage(context)
    if let address = onward?.address {
      if !showsPage { return Self.redirect(address) }
      if case .web(let url) = OnwardAddress(address), appAddress(context) == nil {
        return Self.redirect(url)
      }
    }
    guard showsPage else {
      return Answer(status: status, body: .prettyJSON(JSONObject(["authEmulator": json])))
    }
    let page = try page()
    let html = html(page, at: place, app: appAddress(context).map(OnwardAddress.init))
    return Answer(
      status: pageStatus, body: .text(html, contentType: ActionPage.contentType),
      headers: page.headers)
  }

  /// Where the link leads on to, and what the app of the code is opened with: the link, where the
  /// app redeems the code, else the same address.
  private var onward: (address: String, app: MobileApp, appLink: String)? {
    switch self {
    case .onward(_, to: let url, let app): (url, app, url)
    case .signIn(to: let url, let app, let link): (url, app, link)
    case .missingAPIKey, .missingCode, .invalidMode, .missingContinueURL, .invalidContinueURL,
      .wrongCode, .codeUsedOrUnknown, .codeExpired, .askForPassword, .askAgain, .done, .refused:
      nil
    }
  }

  /// What opens the app of the code on the browser's device.
  private func appAddress(_ context: Context) -> String? {
    // An address with the scheme of an app opens that app.
    guard let onward, case .web = OnwardAddress(onward.address) else { return nil }
    return onward.app.address(for: onward.appLink, userAgent: context.userAgent)
  }

  private static func redirect(_ url: String) -> Answer {
    Answer(status: 303, body: .empty, headers: [("Location", headerSafe(url))])
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
    case .done, .onward, .signIn: 200
    case .refused(let error): error.code.httpStatus
    case .missingAPIKey, .missingCode, .invalidMode, .missingContinueURL, .invalidContinueURL,
      .wrongCode, .codeUsedOrUnknown, .codeExpired, .askForPassword, .askAgain:
      400
    }
  }

  /// A form that waits to be filled in is not a failure.
  private var pageStatus: Int {
    if case .askForPassword = self { 200 } else { status }
  }

  private var json: JSON {
    switch self {
    case .missingAPIKey:
      Self.error(
        "The apiKey parameter is missing.", instructions: "Append &apiKey=fake-api-key to the URL.")
    case .missingCode:
      Self.error(
        "The oobCode parameter is missing.", instructions: "Open the whole link of the mail.")
    case .invalidMode: .members(["error": "The mode parameter is missing or invalid."])
    case .missingContinueURL:
      Self.error(
        "The continueUrl parameter is missing.",
        instructions:
          "Append &continueUrl= and the address of your app, which finishes the sign-in.")
    case .invalidContinueURL:
      Self.error(
        "The continueUrl parameter is not an absolute URL.", instructions: "Check the link.")
    case .wrongCode(let mode):
      Self.error("The code does not fit the mode \(mode).", instructions: "Ask for a new code.")
    case .codeUsedOrUnknown, .codeExpired:
      Self.error(
        "The code is invalid: it may have expired, or been used already.",
        instructions: "Ask for a new code.")
    case .askForPassword(_, _, let isPlaceholder, _, let link):
      .members([
        "error": isPlaceholder
          ? "NEW_PASSWORD_HERE is a placeholder, not a password."
          : "The newPassword parameter is missing.",
        "instructions": "Put the new password into the URL below, and open it.",
        "instructions2": "Or open this link in a browser, which shows a form.",
        "urlTemplate": .string(link + "&newPassword=NEW_PASSWORD_HERE"),
      ])
    case .askAgain: .members(["error": "The password does not meet the requirements."])
    case .done(let success), .onward(let success, to: _, _): success.json
    case .signIn(to: let url, _, _): .members(["success": .string(url)])
    case .refused(let error): .members(["error": .string(error.message)])
    }
  }

  private static func error(_ text: String, instructions: String) -> JSON {
    .members(["error": .string(text), "instructions": .string(instructions)])
  }
}
