import HearthMailbox
import HearthWire

/// The value of a link's `lang`: the locale as requested, even if Hearth has no texts in it, because
/// the link may open a page of the app that has.
struct LinkLanguage {
  let tag: String

  /// A locale that could not be a language tag, as `de,en`, gives way to the language of the mail: it
  /// would end up in an address.
  init(_ locale: String?) {
    let isTag =
      locale?.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) } ?? false
    if isTag, let locale, (2...35).contains(locale.utf8.count) {
      tag = locale
    } else {
      tag = Language.best(for: locale).tag
    }
  }
}
