import HearthWire

/// A text in every language that the back end speaks, or in one for all.
///
/// A definition gives a plain text, or an object of texts by language.
struct LocalText: Sendable {
  private let fallback: Template
  private let byLanguage: [String: Template]

  init(
    _ value: DefinitionValue, languages: LanguageRule, allowed: Set<Placeholder>
  ) throws(DefinitionFault) {
    guard value.json.object != nil else {
      fallback = try Template(value, allowed: allowed)
      byLanguage = [:]
      return
    }
    var texts: [String: Template] = [:]
    let object = try value.anyObject()
    for member in object.members {
      guard languages.spoken.contains(member.name.lowercased()) else {
        throw member.value.fault("is not a language of \"languages\"")
      }
      texts[member.name.lowercased()] = try Template(member.value, allowed: allowed)
    }
    guard let fallback = texts[languages.default] else {
      throw object.missing(languages.default, reason: "is missing; it is the default language")
    }
    self.fallback = fallback
    byLanguage = texts
  }

  func template(in language: String) -> Template { byLanguage[language] ?? fallback }

  /// Whether the text has the placeholder in every language.
  func uses(_ placeholder: Placeholder) -> Bool {
    fallback.uses(placeholder) && byLanguage.values.allSatisfy { $0.uses(placeholder) }
  }
}
