public import Foundation

/// A captured mail or text message.
public struct Mail: Sendable, Equatable, Identifiable {
  /// What a message is for.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name on the wire, such as `PASSWORD_RESET`.
    public let rawValue: String

    /// The kind of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To set a new password.
    public static let passwordReset = Kind(rawValue: "PASSWORD_RESET")
    /// To verify an address.
    public static let verifyEmail = Kind(rawValue: "VERIFY_EMAIL")
    /// A link to sign in with.
    public static let emailSignIn = Kind(rawValue: "EMAIL_SIGNIN")
    /// To verify a new address, and change to it.
    public static let verifyAndChangeEmail = Kind(rawValue: "VERIFY_AND_CHANGE_EMAIL")
    /// To take back a change of address.
    public static let recoverEmail = Kind(rawValue: "RECOVER_EMAIL")
    /// A code in a text message.
    public static let sms = Kind(rawValue: "SMS")
  }

  /// What became of the code in a message, by the project's clock.
  public enum State: String, Sendable, Decodable {
    /// It can be redeemed. A message without a code is always so.
    case pending
    /// It was redeemed.
    case used
    /// Its time is over.
    case expired
  }

  /// Which messages are meant, by what became of their codes.
  public enum StateFilter: String, Sendable {
    /// Codes that can be redeemed.
    case pending
    /// Codes that were redeemed.
    case used
    /// Codes whose time is over.
    case expired
    /// All of them.
    case any
  }

  /// Grows with every message of the server.
  public let id: String
  /// Whom it went to: an address, or a phone number.
  public let to: String
  /// Whom it came from.
  public let from: String
  /// Its subject.
  public let subject: String
  /// What it is for.
  public let kind: Kind
  /// The code in it.
  public let code: String?
  /// The link in it.
  public let link: String?
  /// What had become of its code when the message was read.
  public let state: State
  /// When it was sent.
  public let createdAt: Date
  /// When its code expires; nil when it does not.
  public let expiresAt: Date?
  /// When its code was redeemed; nil as long as it was not.
  public let usedAt: Date?
  /// The language of its words, such as `de`.
  public let locale: String
  /// Its words.
  public let text: String
  /// Its words as HTML.
  public let html: String
}

extension Mail: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, to, from, subject, state, createdAt, expiresAt, usedAt, locale, text, html
    case kind = "type"
    case code = "oobCode"
    case link = "oobLink"
  }

  /// Reads a message of Hearth's mailbox.
  ///
  /// - Parameter decoder: where it is read from.
  /// - Throws: `DecodingError` when it is no message.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    to = try members.decode(String.self, forKey: .to)
    from = try members.decode(String.self, forKey: .from)
    subject = try members.decode(String.self, forKey: .subject)
    kind = Kind(rawValue: try members.decode(String.self, forKey: .kind))
    code = try members.decodeIfPresent(String.self, forKey: .code)
    link = try members.decodeIfPresent(String.self, forKey: .link)
    state = try members.decode(State.self, forKey: .state)
    createdAt = try members.date(.createdAt) ?? .distantPast
    expiresAt = try members.date(.expiresAt)
    usedAt = try members.date(.usedAt)
    locale = try members.decode(String.self, forKey: .locale)
    text = try members.decode(String.self, forKey: .text)
    html = try members.decode(String.self, forKey: .html)
  }
}

extension KeyedDecodingContainer {
  /// A time such as `2026-08-21T09:30:00.250Z`; nil when there is none.
  fileprivate func date(_ key: Key) throws -> Date? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    do {
      return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    } catch {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(error)")
    }
  }
}
