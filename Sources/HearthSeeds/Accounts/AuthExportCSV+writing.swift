import HearthIdentityToolkit
import HearthWire

extension AuthExportCSV {
  /// The line of a user, as an administrator sees them. The last column ends with a comma, too.
  package static func line(of user: JSON) -> String {
    var columns = Array(repeating: "", count: count)
    for (index, name) in plain {
      let value = user[name]
      switch name {
      case "emailVerified": columns[index] = value?.bool == true ? "true" : "false"
      case "passwordHash", "salt": columns[index] = (value?.string ?? "").plainBase64
      case "customAttributes": columns[index] = (value?.string).nonEmpty.map(claims) ?? ""
      default: columns[index] = value.map { field($0.string ?? $0.text) } ?? ""
      }
    }
    for entry in user["providerUserInfo"]?.array ?? [] {
      guard let (start, _) = providers.first(where: { $0.1 == entry["providerId"]?.string }) else {
        continue
      }
      for (offset, name) in ["rawId", "email", "displayName", "photoUrl"].enumerated() {
        columns[start + offset] = field(entry[name]?.string ?? "")
      }
    }
    return columns.joined(separator: ",") + ",\n"
  }

  /// In quotes where it has to be. The official tools quote names only, and a comma in an address of a
  /// photo would move the columns after it.
  private static func field(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { ![",", "\"", "\r", "\n"].contains($0) }
    guard !isPlain else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// Always in quotes. Those that JSON escapes are not doubled.
  private static func claims(_ text: String) -> String {
    var quoted = "\""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar == "\"", !isEscaped { quoted.append("\"") }
      isEscaped = scalar == "\\" && !isEscaped
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension String {
  /// Base64 with `+` and `/`.
  var plainBase64: String {
    String(map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
  }
}
