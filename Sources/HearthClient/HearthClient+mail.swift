import Foundation

/// A captured mail or text message.
public struct Mail: Sendable, Equatable, Decodable {
  /// Grows with every message: give it to `after` to see only newer ones.
  public let id: String
  /// Whom it went to.
  public let to: String
  /// Whom it came from.
  public let from: String
  /// Its subject.
  public let subject: String
  /// `PASSWORD_RESET`, `VERIFY_EMAIL`, `EMAIL_SIGNIN`, `VERIFY_AND_CHANGE_EMAIL`,
  /// `RECOVER_EMAIL` or `SMS`.
  public let type: String
  /// The code in it.
  public let code: String?
  /// The link in it.
  public let link: String?
  /// When the code was redeemed, in ISO 8601.
  public let usedAt: String?
  /// Its words.
  public let text: String
  /// Its words as HTML.
  public let html: String

  private enum CodingKeys: String, CodingKey {
    case id, to, from, subject, type, usedAt, text, html
    case code = "oobCode"
    case link = "oobLink"
  }
}

extension HearthClient {
  /// The newest matching mail; waits for one to arrive if there is none.
  ///
  /// - Parameters:
  ///   - address: whom it goes to.
  ///   - type: what it is for, such as `PASSWORD_RESET`; nil for anything.
  ///   - last: only mails that are newer than this one.
  ///   - seconds: how long to wait.
  /// - Returns: the mail.
  /// - Throws: ``HearthError`` with `NOT_FOUND` when the time is over.
  public func waitForMail(
    to address: String, type: String? = nil, after last: Mail? = nil, within seconds: Int = 10
  ) async throws -> Mail {
    var query = ["to": address, "wait": "\(seconds)s"]
    query["type"] = type
    query["after"] = last?.id
    let data = try await control("GET", "messages/latest", query: query)
    return try JSONDecoder().decode(Mail.self, from: data)
  }

  /// All mails to that address, or of the whole project, oldest first.
  public func mails(to address: String? = nil) async throws -> [Mail] {
    struct List: Decodable { let messages: [Mail] }
    var query: [String: String] = [:]
    query["to"] = address
    let data = try await control("GET", "messages", query: query)
    return try JSONDecoder().decode(List.self, from: data).messages
  }

  /// Empties the mailbox of the project.
  public func deleteMails() async throws { _ = try await control("DELETE", "messages") }
}
