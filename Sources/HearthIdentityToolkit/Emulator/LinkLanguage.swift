/// The value of a link's `lang`: the locale as requested, even if Hearth has no texts in it, because
/// the link may open a page of the app that has.
struct LinkLanguage {
  let tag: String

  /// A locale that could not be a language tag is left out: it would end up in an address.
  init(_ locale: String?) {
    let isTag =
      locale?.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      } ?? false
    if isTag, let locale, (2...35).contains(locale.utf8.count) {
      tag = locale
    } else {
      tag = "en"
    }
  }
}
