import HearthCrypto
package import HearthErrors
package import HearthWire

/// Somebody who has accounts at identity providers: whom a login page offers.
package struct Persona: Sendable, Equatable {
  /// What tests call them.
  package let id: String
  package let email: String?
  package let isEmailVerified: Bool
  package let displayName: String
  let picture: String?
  let groups: [String]
  /// More claims, or others, in every token.
  let claims: JSONObject
  /// The same id at all providers; else each has its own.
  let ownSubject: String?
  /// The tenant of Microsoft's.
  let tenant: String?
  /// Whether they refuse to let an app know them.
  let denies: Bool
  /// Whether the provider has shut their account.
  let isDisabled: Bool
  /// Whether apps get an address in its place, or none.
  let hidesEmail: Bool
  /// The code that a login page asks for after the choice.
  let secondFactor: String?

  private static let members: Set<String> = [
    "email", "emailVerified", "displayName", "picture", "groups", "claims", "subject", "tenant",
    "denies", "disabled", "hidesEmail", "secondFactor",
  ]
  private static let longestRecord = 16 * 1024

  /// Reads what a test or a seed says of somebody.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the member that is wrong.
  package init(_ id: String, record: JSONObject) throws(APIError) {
    guard Self.isName(id) else {
      throw APIError(
        .invalidArgument, detail: "a persona's name has 1 to 64 letters, digits, dots and dashes")
    }
    guard JSON.object(record).bytes.count <= Self.longestRecord else {
      throw APIError(.invalidArgument, detail: "a persona has at most \(Self.longestRecord) bytes")
    }
    for (name, value) in record.members {
      guard Self.members.contains(name) else {
        let near = Self.members.sorted().advice(on: name)
        throw APIError(.invalidArgument, detail: "unknown member '\(name)' of a persona\(near)")
      }
      try Self.check(value, named: name)
    }
    self.id = id
    email = record["email"]?.string.nonEmpty
    isEmailVerified = record["emailVerified"]?.bool ?? true
    displayName = record["displayName"]?.string.nonEmpty ?? Self.title(id)
    picture = record["picture"]?.string.nonEmpty
    groups = record["groups"]?.array?.compactMap(\.string) ?? []
    claims = record["claims"]?.object ?? JSONObject()
    ownSubject = record["subject"]?.string.nonEmpty
    tenant = record["tenant"]?.string.nonEmpty
    denies = record["denies"]?.bool ?? false
    isDisabled = record["disabled"]?.bool ?? false
    hidesEmail = record["hidesEmail"]?.bool ?? false
    secondFactor = record["secondFactor"]?.string.nonEmpty
  }

  private static func check(_ value: JSON, named name: String) throws(APIError) {
    let fits =
      switch name {
      case "emailVerified", "denies", "disabled", "hidesEmail": value.bool != nil
      case "groups": value.array?.allSatisfy { $0.string != nil } ?? false
      case "claims": value.object != nil
      default: value.string != nil
      }
    let kind =
      switch name {
      case "emailVerified", "denies", "disabled", "hidesEmail": "a boolean"
      case "groups": "a list of strings"
      case "claims": "an object"
      default: "a string"
      }
    guard fits else { throw APIError(.invalidArgument, detail: "/\(name) must be \(kind)") }
  }

  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "._-@+".utf8.contains($0) }
  }

  private static func title(_ id: String) -> String { id.prefix(1).uppercased() + id.dropFirst() }

  /// As a test gets it back.
  package var record: JSONObject {
    JSONObject([
      "email": email.json, "emailVerified": .bool(isEmailVerified),
      "displayName": .string(displayName), "picture": picture.json,
      "groups": groups.isEmpty ? nil : .strings(groups),
      "claims": claims.isEmpty ? nil : .object(claims), "subject": ownSubject.json,
      "tenant": tenant.json, "denies": denies ? true : nil, "disabled": isDisabled ? true : nil,
      "hidesEmail": hidesEmail ? true : nil, "secondFactor": secondFactor.json,
    ])
  }

  // MARK: Names

  var givenName: String {
    displayName.split(separator: " ").first.map(String.init) ?? displayName
  }

  var familyName: String {
    displayName.split(separator: " ").dropFirst().joined(separator: " ")
  }

  /// What they are called in addresses.
  var login: String {
    String(id.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }

  // MARK: Ids

  /// The same text for the same person, and another for each use.
  private func digest(for use: String) -> [UInt8] {
    Digest.sha256.hash(Array("\(use)\n\(id)".utf8))
      + Digest.sha256.hash(Array("\(id)\n\(use)".utf8))
  }

  func digits(_ count: Int, for use: String) -> String {
    let digits = digest(for: use).prefix(count).map { Character(String($0 % 10)) }
    return "1" + String(digits.dropFirst())
  }

  func hexadecimal(_ count: Int, for use: String) -> String {
    String(String(decoding: digest(for: use).hexDigits, as: UTF8.self).prefix(count))
  }

  func letters(_ count: Int, for use: String) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    return String(digest(for: use).prefix(count).map { alphabet[Int($0) % alphabet.count] })
  }

  func uuid(for use: String) -> String {
    let text = Array(hexadecimal(32, for: use))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }
      .joined(separator: "-")
  }

  // MARK: Claims

  /// The claims of OpenID Connect that the scopes ask for, and the persona's own.
  func claims(for claiming: Claiming) -> JSONObject {
    var object = JSONObject()
    if let email, claiming.has("email") {
      object["email"] = .string(email)
      object["email_verified"] = .bool(isEmailVerified)
    }
    if claiming.has("profile") {
      object["name"] = .string(displayName)
      object["given_name"] = .string(givenName)
      if !familyName.isEmpty { object["family_name"] = .string(familyName) }
      object["preferred_username"] = .string(login)
      if let picture { object["picture"] = .string(picture) }
    }
    if !groups.isEmpty { object["groups"] = .strings(groups) }
    object.merge(claims)
    return object
  }
}
