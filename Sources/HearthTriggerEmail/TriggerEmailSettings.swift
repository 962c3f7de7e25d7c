import HearthTime
import HearthWire

/// The parameters of one instance of the extension Trigger Email, by its own names for them.
package struct TriggerEmailSettings: Sendable, Equatable {
  /// Below `documents`; a segment in braces stands for any id.
  package var collection = "mail"
  package var database = "(default)"
  package var from: String?
  package var replyTo: String?
  package var users: String?
  package var templates: String?
  package var lifetime: Lifetime?

  /// How long a document lives, for Firestore's TTL policies.
  package struct Lifetime: Sendable, Equatable {
    package enum Unit: String, Sendable { case hour, day, week, month, year }

    package var unit: Unit
    package var count: Int

    package init(unit: Unit, count: Int) {
      self.unit = unit
      self.count = count
    }

    /// Months and years are those of the calendar.
    func end(from start: Timestamp) -> Timestamp {
      switch unit {
      case .hour: return start + .seconds(3600 * count)
      case .day: return start + .seconds(86_400 * count)
      case .week: return start + .seconds(7 * 86_400 * count)
      case .month, .year:
        let time = CalendarTime(start)
        let months = time.month - 1 + (unit == .month ? count : 12 * count)
        let first =
          Self.text(time.year + months / 12, width: 4) + "-" + Self.text(months % 12 + 1, width: 2)
        guard let month = Timestamp(iso8601: first + "-01T00:00:00Z") else { return start }
        let seconds =
          (time.day - 1) * 86_400 + time.hour * 3600 + time.minute * 60 + time.second
        return month + .seconds(seconds)
      }
    }

    private static func text(_ number: Int, width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
  }

  package init(collection: String = "mail") { self.collection = collection }

  /// Reads a file of parameters: lines of `NAME=value`. Other names are not looked at.
  ///
  /// - Throws: what is wrong with a value.
  package init(environment text: String) throws(TriggerEmailSettingsError) {
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let line = String(line).trimmedOfSpace
      guard !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") else { continue }
      var value = String(line[line.index(after: sign)...]).trimmedOfSpace
      for quote in ["\"", "'"] where value.count > 1 && value.hasPrefix(quote) {
        if value.hasSuffix(quote) { value = String(value.dropFirst().dropLast()) }
      }
      values[String(line[..<sign]).trimmedOfSpace] = value
    }
    try self.init(values)
  }

  private init(_ values: [String: String]) throws(TriggerEmailSettingsError) {
    collection = values["MAIL_COLLECTION"].nonEmpty ?? collection
    database = values["DATABASE"].nonEmpty ?? database
    from = values["DEFAULT_FROM"].nonEmpty
    replyTo = values["DEFAULT_REPLY_TO"].nonEmpty
    users = values["USERS_COLLECTION"].nonEmpty
    templates = values["TEMPLATES_COLLECTION"].nonEmpty
    try check()
    guard let name = values["TTL_EXPIRE_TYPE"].nonEmpty, name != "never" else { return }
    guard let unit = Lifetime.Unit(rawValue: name),
      let count = Int(values["TTL_EXPIRE_VALUE"].nonEmpty ?? "1"), (1...10_000).contains(count)
    else {
      throw TriggerEmailSettingsError(
        "TTL_EXPIRE_TYPE must be never, hour, day, week, month or year, and TTL_EXPIRE_VALUE a "
          + "number from 1 to 10000")
    }
    lifetime = Lifetime(unit: unit, count: count)
  }

  package func check() throws(TriggerEmailSettingsError) {
    for (name, path) in [
      ("MAIL_COLLECTION", collection), ("USERS_COLLECTION", users ?? "x"),
      ("TEMPLATES_COLLECTION", templates ?? "x"),
    ] {
      let segments = path.split(separator: "/", omittingEmptySubsequences: false)
      guard segments.count % 2 == 1, segments.allSatisfy({ !$0.isEmpty }) else {
        throw TriggerEmailSettingsError("\(name): '\(path)' is not the path of a collection")
      }
    }
  }

  /// Whether the path is that of a document in the collection.
  func watches(_ segments: [String]) -> Bool {
    let pattern = collection.split(separator: "/")
    guard segments.count == pattern.count + 1 else { return false }
    return zip(pattern, segments).allSatisfy { part, segment in
      part.hasPrefix("{") && part.hasSuffix("}") || part == segment
    }
  }
}

package struct TriggerEmailSettingsError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
