import HearthMime
import HearthWire

/// The fields of a JSON object. One of another type than the provider wants is refused, so that a
/// wrong request fails here as it fails there. What is missing or null is nil.
struct MailFields {
  /// What a provider says of a field and of what it expects.
  typealias Refuse = @Sendable (_ field: String, _ expected: String) -> MailRefusal

  let json: JSON
  private let refuse: Refuse

  init(_ json: JSON, named name: String, refuse: @escaping Refuse) throws(MailRefusal) {
    guard json.object != nil else { throw refuse(name, "an object") }
    self.json = json
    self.refuse = refuse
  }

  /// Whether there is a value other than null.
  func has(_ name: String) -> Bool { json[name].map { !$0.isNull } ?? false }

  /// Of the first of these names that there is.
  func string(_ names: String...) throws(MailRefusal) -> String? {
    guard let name = names.first(where: has) else { return nil }
    guard let text = json[name]?.string else { throw refuse(name, "a string") }
    return text
  }

  func fields(_ name: String) throws(MailRefusal) -> MailFields? {
    guard has(name), let json = json[name] else { return nil }
    return try MailFields(json, named: name, refuse: refuse)
  }

  func object(_ name: String) throws(MailRefusal) -> JSONObject {
    try fields(name)?.json.object ?? JSONObject()
  }

  /// A list of objects.
  func list(_ name: String) throws(MailRefusal) -> [MailFields] {
    guard has(name) else { return [] }
    guard let items = json[name]?.array else { throw refuse(name, "a list") }
    var fields: [MailFields] = []
    for item in items { fields.append(try MailFields(item, named: name, refuse: refuse)) }
    return fields
  }

  /// A list of texts; where `orOne` is set, also one text alone.
  func strings(_ name: String, orOne: Bool = false) throws(MailRefusal) -> [String] {
    guard has(name) else { return [] }
    if orOne, let text = json[name]?.string { return [text] }
    let items = json[name]?.array
    let texts = items?.compactMap(\.string)
    guard let texts, texts.count == items?.count else { throw refuse(name, "a list of strings") }
    return texts
  }

  /// An object whose members are headers.
  func headers(_ name: String) throws(MailRefusal) -> [MimeHeader] {
    var headers: [MimeHeader] = []
    for member in try object(name).members {
      guard let value = member.value.string else { throw refuse(name, "an object of strings") }
      headers.append(try header(member.key, value: value, of: name))
    }
    return headers
  }

  /// A list of objects that each have a name and a value.
  func listedHeaders(_ name: String) throws(MailRefusal) -> [MimeHeader] {
    var headers: [MimeHeader] = []
    for item in try list(name) {
      guard let header = try item.string("Name"), let value = try item.string("Value") else {
        throw refuse(name, "a list of objects with Name and Value")
      }
      headers.append(try self.header(header, value: value, of: name))
    }
    return headers
  }

  private func header(
    _ name: String, value: String, of field: String
  ) throws(MailRefusal) -> MimeHeader {
    guard MimeHeader.isName(name) else {
      throw refuse(field, "names of printable ASCII without blanks and colons")
    }
    return MimeHeader(name, value: value)
  }
}

extension MimeHeader {
  /// Whether a header can have the name. One with a line end would be two headers.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
  }
}
