/// What a template can have filled in, by the name between its braces.
enum Placeholder: String, Sendable, CaseIterable {
  /// The definition's title.
  case app
  /// The language of this answer or message.
  case language
  case now
  /// The reply's own sentence, in a body.
  case message
  /// The name, as the client knows it, of the request field at fault.
  case field
  /// The address that the client sent, or the account's.
  case email
  case phone
  case userId, displayName, photoUrl, createdAt
  /// The code or token that resets the password.
  case token
  /// The link made of the message's template.
  case link
  /// The password that the back end chose.
  case newPassword
  /// When the token or session ends: ISO 8601, seconds of the epoch, and seconds from now.
  case expiresAt, expiresAtUnix, expiresIn
  /// How long a token holds: in English words, and in minutes for other languages.
  case lifetime, minutes
  /// Seconds until the next request may be made.
  case retryAfter
  /// The sentence that tells which rule a password breaks.
  case problem
  case session, refresh

  static let common: Set<Placeholder> = [.app, .language, .now]
  static let account: Set<Placeholder> = [
    .email, .phone, .userId, .displayName, .photoUrl, .createdAt,
  ]
  static let expiry: Set<Placeholder> = [.expiresAt, .expiresAtUnix, .expiresIn]
}
