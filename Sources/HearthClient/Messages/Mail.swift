public import Foundation

/// A captured mail or text message.
public struct Mail: Sendable, Equatable, Identifiable {
  /// The purpose of a message.
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
    /// To undo a change of address.
    public static let recoverEmail = Kind(rawValue: "RECOVER_EMAIL")
    /// A code in a text message.
    public static let sms = Kind(rawValue: "SMS")
    /// A push message.
    public static let push = Kind(rawValue: "PUSH")
    /// A mail that the app sent by itself, to set a new password.
    public static let appReset = Kind(rawValue: "reset")
    /// A mail that the app sent by itself, to verify an address.
    public static let appVerification = Kind(rawValue: "verify")
    /// A mail that the app sent by itself, with a link to sign in with.
    public static let appSignInLink = Kind(rawValue: "magic")
    /// A mail that the app sent by itself, with a code to sign in with.
    public static let appCode = Kind(rawValue: "otp")
    /// Any other mail that the app sent by itself.
    public static let appMail = Kind(rawValue: "none")
  }

  /// The state of the code in a message, by the project's clock.
  public enum State: String, Sendable, Decodable {
    /// It can be redeemed. A message without a code is always pending.
    case pending
    /// It was redeemed.
    case used
    /// It has expired.
    case expired
  }

  /// A filter of messages by the state of their codes.
  public enum StateFilter: String, Sendable {
    /// Codes that can be redeemed.
    case pending
    /// Codes that were redeemed.
    case used
    /// Codes that have expired.
    case expired
    /// All of them.
    case any
  }

  /// Grows with every message of the server.
  public let id: String
  /// The recipient: an address, or a phone number.
  public let to: String
  /// The sender.
  public let from: String
  /// Its subject.
  public let subject: String
  /// Its purpose.
  public let kind: Kind
  /// How it came: `auth`, or for mails that the app sent by itself `smtp`, `trigger`, or the name of
  /// the provider whose API took it.
  public let source: String
  /// The code in it.
  public let code: String?
  /// The link in it.
  public let link: String?
  /// The secret in the link.
  public let linkToken: String?
  /// All codes in it, the likeliest first.
  public let codes: [String]
  /// All links in it.
  public let links: [String]
  /// What people or the app noted.
  public let tags: [String]
  /// Whether somebody marked it as read.
  public let isRead: Bool
  /// What became of it, such as `delivered`, `bounced`, or `notSent` for a link that an administrator
  /// generated.
  public let delivery: String
  /// The files in it.
  public let attachments: [Attachment]
  /// The state of its code when the message was read.
  public let state: State
  /// When it was sent.
  public let createdAt: Date
  /// When its code expires; nil when it does not.
  public let expiresAt: Date?
  /// When its code was redeemed; nil before that.
  public let usedAt: Date?
  /// Its language, such as `de`.
  public let locale: String
  /// Its text.
  public let text: String
  /// Its text as HTML.
  public let html: String
  /// What only push messages have.
  public let push: Push?
  /// How a text message travels.
  public let sms: Text?

  /// What a push message says, and whom it reaches.
  public struct Push: Sendable, Equatable, Decodable {
    /// Where it goes: to a token, an installation, a topic or a condition.
    public struct Target: Sendable, Equatable, Decodable {
      /// `token`, `fid`, `topic` or `condition`.
      public let kind: String
      /// The token, or the name, or the condition.
      public let value: String
    }

    /// What a phone shows.
    public struct Notification: Sendable, Equatable, Decodable {
      /// Its title.
      public let title: String?
      /// Its text.
      public let body: String?
      /// The address of a picture.
      public let image: String?
    }

    /// The name that the send was answered with.
    public let name: String
    /// Where it goes.
    public let target: Target
    /// What a phone shows; nil for data alone.
    public let notification: Notification?
    /// What the app gets.
    public let data: [String: String]
    /// How many devices it reaches.
    public let deviceCount: Int
  }

  /// How a text message travels.
  public struct Text: Sendable, Equatable, Decodable {
    /// `GSM-7` or `UCS-2`.
    public let encoding: String
    /// The number of parts that it is cut into.
    public let segments: Int
  }

  /// A file in a mail.
  public struct Attachment: Sendable, Equatable, Identifiable, Decodable {
    /// Counts from 1.
    public let id: Int
    /// The name of the file.
    public let name: String?
    /// Such as `application/pdf`.
    public let type: String
    /// In bytes.
    public let size: Int
    /// The id under which the HTML shows it.
    public let cid: String?
  }
}

extension Mail: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, to, from, subject, state, createdAt, expiresAt, usedAt, locale, text, html
    case push, sms, source, code, link, linkToken, codes, links, tags, delivery, attachments
    case kind = "type"
    case isRead = "read"
  }

  private struct Delivery: Decodable { let state: String }

  /// Reads a message of Hearth's mailbox.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if it is not a message.
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
    source = try members.decode(String.self, forKey: .source)
    linkToken = try members.decodeIfPresent(String.self, forKey: .linkToken)
    codes = try members.decode([String].self, forKey: .codes)
    links = try members.decode([String].self, forKey: .links)
    tags = try members.decode([String].self, forKey: .tags)
    isRead = try members.decode(Bool.self, forKey: .isRead)
    delivery = try members.decode(Delivery.self, forKey: .delivery).state
    attachments = try members.decode([Attachment].self, forKey: .attachments)
    createdAt = try members.date(.createdAt) ?? .distantPast
    expiresAt = try members.date(.expiresAt)
    usedAt = try members.date(.usedAt)
    locale = try members.decode(String.self, forKey: .locale)
    text = try members.decode(String.self, forKey: .text)
    html = try members.decode(String.self, forKey: .html)
    push = try members.decodeIfPresent(Push.self, forKey: .push)
    sms = try members.decodeIfPresent(Text.self, forKey: .sms)
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
