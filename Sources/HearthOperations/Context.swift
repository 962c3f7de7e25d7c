package import HearthCrypto
package import HearthTime
package import HearthTokens
package import Logging

/// Everything that enters an operation from outside: who calls, when, from where.
package struct Context: Sendable {
  /// The time at which the request is judged, by the project's clock.
  package var now: Timestamp
  package let random: Randomness
  package let caller: Caller
  /// `http://` and the request's Host, so that a link opens where the request came from.
  package private(set) var baseURL: String
  /// `X-Firebase-Locale`, the language of mails.
  package let locale: String?
  /// `Accept-Language`, the languages that a browser prefers.
  package let acceptLanguage: String?
  package let userAgent: String?
  /// `Accept`, the kinds of answers that a client takes.
  package let accept: String?
  /// `Authorization` and `Cookie`, for endpoints that are not Google's.
  package var authorization: String?
  package var cookie: String?
  /// `x-goog-firebase-installations-auth`: the installation of an app that calls.
  package var installation: String?
  package let remoteAddress: String
  /// Whether a web page asks that is neither this machine's nor our own.
  package let isOfForeignPage: Bool
  /// The `idToken` of the body, decoded and with its signature checked.
  package let presentedToken: PresentedToken?
  /// Whether tokens are issued unsigned at the port where the request came in.
  package let issuesUnsignedTokens: Bool
  package let logger: Logger

  package init(
    now: Timestamp, random: Randomness = Randomness(), caller: Caller, baseURL: String,
    locale: String? = nil, acceptLanguage: String? = nil, userAgent: String? = nil,
    accept: String? = nil, remoteAddress: String = "127.0.0.1",
    isOfForeignPage: Bool = false,
    presentedToken: PresentedToken? = nil, issuesUnsignedTokens: Bool = false, logger: Logger
  ) {
    self.now = now
    self.random = random
    self.caller = caller
    self.baseURL = baseURL
    self.locale = locale
    self.acceptLanguage = acceptLanguage
    self.userAgent = userAgent
    self.accept = accept
    self.remoteAddress = remoteAddress
    self.isOfForeignPage = isOfForeignPage
    self.presentedToken = presentedToken
    self.issuesUnsignedTokens = issuesUnsignedTokens
    self.logger = logger
  }
}

extension Context {
  /// The same request as if it had come to another address.
  package func at(_ baseURL: String) -> Context {
    var context = self
    context.baseURL = baseURL
    return context
  }

  /// Whether a browser asks.
  package var acceptsHTML: Bool { accept?.contains("text/html") ?? false }

  /// Whether a program asks for JSON and for nothing that a browser shows.
  package var asksForJSON: Bool {
    !acceptsHTML && accept?.contains("application/json") ?? false
  }
}

/// Who a request comes from.
package enum Caller: Sendable {
  /// An accepted bearer token: an administrator.
  case admin
  /// An API key: an ordinary client.
  case user
  /// No credential was asked for.
  case anyone
}
