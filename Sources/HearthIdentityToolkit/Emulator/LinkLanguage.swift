/// The language that a link names in `lang`: the locale that was asked for, so that a page of the
/// app's own can answer in it too, also where there are no words in that language here.
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
