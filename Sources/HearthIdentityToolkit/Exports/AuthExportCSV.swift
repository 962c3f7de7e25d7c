import HearthWire

/// One line of `firebase auth:export --format=csv`.
/// https://firebase.google.com/docs/cli/auth#csv
enum AuthExportCSV {
  private static let plain = [
    0: "localId", 1: "email", 2: "emailVerified", 3: "passwordHash", 4: "salt", 5: "displayName",
    6: "photoUrl", 23: "createdAt", 24: "lastLoginAt", 25: "phoneNumber",
    26: "disabled", 27: "customAttributes",
  ]
  private static let flags: Set<String> = ["emailVerified", "disabled"]

  /// Four columns each: id, e-mail, name, photo.
  private static let providers = [
    (7, "google.com"), (11, "facebook.com"), (15, "twitter.com"), (19, "github.com"),
  ]

  static func user(_ line: String) -> JSON {
    let columns = fields(of: line)
    func column(_ index: Int) -> String? {
      index < columns.count && !columns[index].isEmpty ? columns[index] : nil
    }
    var user = JSONObject()
    for (index, name) in plain.sorted(by: { $0.key < $1.key }) {
      guard let value = column(index) else { continue }
      user.append(name, flags.contains(name) ? .bool(value == "true") : .string(value))
    }
    let linked = providers.compactMap { start, providerId -> JSON? in
      guard let rawId = column(start) else { return nil }
      return .members([
        "providerId": .string(providerId), "rawId": .string(rawId),
        "email": column(start + 1).json, "displayName": column(start + 2).json,
        "photoUrl": column(start + 3).json,
      ])
    }
    if !linked.isEmpty { user.append("providerUserInfo", .array(linked)) }
    return .object(user)
  }

  /// Commas in quotes belong to the field, doubled quotes stand for one.
  private static func fields(of line: String) -> [String] {
    var fields: [String] = []
    var field = ""
    var isQuoted = false
    var characters = line.makeIterator()
    var next = characters.next()
    while let character = next {
      next = characters.next()
      if character == "\"" {
        if isQuoted, next == "\"" {
          field.append("\"")
          next = characters.next()
        } else {
          isQuoted.toggle()
        }
      } else if character == ",", !isQuoted {
        fields.append(field)
        field = ""
      } else if character != "\r" {
        field.append(character)
      }
    }
    fields.append(field)
    return fields
  }
}
