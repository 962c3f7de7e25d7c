import HearthWire

/// The secret within a link.
enum LinkToken {
  /// Names of parameters, the surest first.
  private static let names = [
    "oobcode", "token", "reset_password_token", "confirmation_token", "token_hash", "ticket",
    "code", "key", "jeton", "t", "otp", "codice", "codigo", "cle", "clave", "chave", "kod",
    "access_token", "verification_token", "invitation_token",
    "invite_token", "auth_token", "login_token", "magic", "secret", "hash", "signature", "sig",
    "invite", "invitation", "activation", "confirmation", "verification", "resettoken", "reset",
    "nonce", "k", "h",
  ]

  /// Parameters whose values are not secret.
  private static let others = [
    "apikey", "api_key", "continueurl", "lang", "mode", "email", "type", "id", "uid", "ref", "user",
  ]

  static func find(in href: String) -> String? { find(in: href, depth: 0) }

  private static func find(in href: String, depth: Int) -> String? {
    let (path, query, fragment) = pieces(href)
    for part in [query, fragment] {
      if let token = parameter(FormFields(parsing: part ?? "")) { return token }
    }
    if let token = fragment.flatMap({ $0.contains("?") ? $0.split(separator: "?").last : nil })
      .flatMap({ parameter(FormFields(parsing: $0)) })
    {
      return token
    }
    // A link within the link, as for dynamic links and counted clicks.
    if depth < 2, let inner = FormFields(parsing: query ?? "").pairs.first(where: isLink),
      let token = find(in: inner.value, depth: depth + 1)
    {
      return token
    }
    let segments = path.split(separator: "/").map { PercentCoding.decode($0) }
    if let part = segments.last(where: looksRandom) { return part }
    if let part = fragment?.split(separator: "/").map(String.init).last(where: looksRandom) {
      return part
    }
    return FormFields(parsing: query ?? "").pairs.first {
      $0.value.utf8.count >= 10 && looksRandom($0.value) && !isOther($0.name)
    }?.value
  }

  private static func isLink(_ pair: FormFields.Pair) -> Bool {
    ["link", "url", "u", "target", "deep_link_id", "redirect"].contains(pair.name.lowercased())
      && pair.value.contains("://")
  }

  private static func isOther(_ name: String) -> Bool {
    let name = name.lowercased()
    return others.contains(name) || name.hasPrefix("utm_") || name.contains("redirect")
  }

  /// The path without the host, the query and the fragment.
  private static func pieces(_ href: String) -> (Substring, Substring?, Substring?) {
    var rest = href[...]
    var fragment: Substring?
    var query: Substring?
    if let mark = rest.firstIndex(of: "#") {
      fragment = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    let isWeb = rest.hasPrefix("http://") || rest.hasPrefix("https://")
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    return (isWeb ? rest.drop { $0 != "/" } : rest, query, fragment)
  }

  private static func parameter(_ fields: FormFields) -> String? {
    for name in names {
      if let pair = fields.pairs.first(where: { $0.name.lowercased() == name }),
        pair.value.utf8.count >= 4
      {
        return pair.value
      }
    }
    return fields.pairs.first { pair in
      let name = pair.name.lowercased()
      return !isOther(name) && pair.value.utf8.count >= 6
        && ["token", "code", "ticket"].contains { name.hasSuffix($0) }
    }?.value
  }

  /// Whether nobody chose that text: at least eight characters with digits among letters, and not
  /// words with a number.
  static func looksRandom(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 8, bytes.contains(where: \.isASCIIDigit),
      bytes.allSatisfy({ $0.isASCIIAlphanumeric || "-_.~=+:".utf8.contains($0) })
    else { return false }
    guard bytes.contains(where: \.isASCIILetter) else { return bytes.count >= 20 }
    if bytes.count >= 32 { return true }
    var changes = 0
    for (first, second) in zip(bytes, bytes.dropFirst()) {
      let isChange =
        first.isASCIIDigit != second.isASCIIDigit
        && (first.isASCIILetter || second.isASCIILetter)
        && (first.isASCIIDigit || second.isASCIIDigit)
        && !"-_.".utf8.contains(first) && !"-_.".utf8.contains(second)
      let isCase =
        first.isASCIILetter && second.isASCIILetter
        && (first < 0x60) && (second > 0x60) && changes > 0
      if isChange || isCase { changes += 1 }
    }
    return changes >= 2
  }
}
