import HearthWire

/// Where a request carries a value: `email` or `user.email` in the body, `query:token`,
/// `path:token`, `header:X-Token`.
struct FieldSource: Sendable, Equatable {
  enum Place: String, CaseIterable { case body, query, path, header }

  let place: Place
  let name: String

  static let acceptLanguage = FieldSource(place: .header, name: "Accept-Language")
  static let authorization = FieldSource(place: .header, name: "Authorization")

  private init(place: Place, name: String) {
    self.place = place
    self.name = name
  }

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    let text = try value.string()
    if let colon = text.firstIndex(of: ":") {
      guard let place = Place(rawValue: String(text[..<colon])) else {
        throw value.fault("must be a name, or one after body:, query:, path: or header:")
      }
      self.place = place
      name = String(text[text.index(after: colon)...])
    } else {
      place = .body
      name = text
    }
    guard !name.isEmpty, name.utf8.allSatisfy(\.isASCIIVisible),
      !name.split(separator: ".", omittingEmptySubsequences: false).contains("")
    else { throw value.fault("must name a field, without blanks") }
  }
}
