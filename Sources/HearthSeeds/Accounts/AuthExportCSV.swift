import HearthIdentityToolkit
import HearthWire

/// One user of `firebase auth:export --format=csv`: 28 columns, and 52 since firebase-tools 15.19.0.
/// https://firebase.google.com/docs/cli/auth#csv
enum AuthExportCSV {
  static let plain = [
    0: "localId", 1: "email", 2: "emailVerified", 3: "passwordHash", 4: "salt", 5: "displayName",
    6: "photoUrl", 23: "createdAt", 24: "lastLoginAt", 25: "phoneNumber",
    26: "disabled", 27: "customAttributes",
  ]
  private static let flags: Set<String> = ["emailVerified", "disabled"]

  /// Four columns each: id, e-mail, name, photo.
  static let providers = [
    (7, "google.com"), (11, "facebook.com"), (15, "twitter.com"), (19, "github.com"),
    (28, "apple.com"), (32, "microsoft.com"), (36, "gc.apple.com"), (40, "playgames.google.com"),
    (44, "linkedin.com"), (48, "yahoo.com"),
  ]
  static let count = 52
  /// JSON, whose own escaped quotes are not doubled.
  static let attributes = 27

  /// The user, and what there is in columns that are not known; nil for nothing.
  static func user(_ line: String) -> (JSON, unknown: String?) {
    let columns = fields(of: line).fields
    func column(_ index: Int) -> String? {
      index < columns.count && !columns[index].isEmpty ? columns[index] : nil
    }
    var user = JSONObject()
    for (index, name) in plain.sorted(by: { $0.key < $1.key }) {
      guard let value = column(index) else { continue }
      user.append(name, value: flags.contains(name) ? .bool(value == "true") : .string(value))
    }
    let linked = providers.compactMap { start, providerId -> JSON? in
      guard let rawId = column(start) else { return nil }
      return .members([
        "providerId": .string(providerId), "rawId": .string(rawId),
        "email": column(start + 1).json, "displayName": column(start + 2).json,
        "photoUrl": column(start + 3).json,
      ])
    }
    if !linked.isEmpty { user.append("providerUserInfo", value: .array(linked)) }
    let unknown = columns.indices.dropFirst(count).first { !columns[$0].isEmpty }
    return (
      .object(user),
      unknown.map { "column \($0 + 1) is unknown and left out: '\(columns[$0].prefix(100))'" }
    )
  }

  /// Whether a field in quotes goes on in the next line of the file.
  static func isOpen(_ line: String) -> Bool { fields(of: line).isOpen }

  /// Commas in quotes belong to the field, doubled quotes stand for one.
  private static func fields(of line: String) -> (fields: [String], isOpen: Bool) {
    var fields: [String] = []
    var field = ""
    var isQuoted = false
    var characters = line.unicodeScalars.makeIterator()
    var next = characters.next()
    while let character = next {
      next = characters.next()
      if character == "\\", isQuoted, fields.count == attributes, let escaped = next {
        field.unicodeScalars.append(contentsOf: [character, escaped])
        next = characters.next()
      } else if character == "\"", isQuoted || field.isEmpty {
        if isQuoted, next == "\"" {
          field.append("\"")
          next = characters.next()
        } else {
          isQuoted.toggle()
        }
      } else if character == ",", !isQuoted {
        fields.append(field)
        field = ""
      } else if character != "\r" || isQuoted {
        field.unicodeScalars.append(character)
      }
    }
    fields.append(field)
    return (fields, isQuoted)
  }
}
