import HearthWire

/// The app that a link is for, as the action code settings name it.
package struct MobileApp: Sendable, Equatable {
  var iosBundleId: String?
  var androidPackageName: String?

  package init(iosBundleId: String? = nil, androidPackageName: String? = nil) {
    self.iosBundleId = iosBundleId
    self.androidPackageName = androidPackageName
  }
}

extension MobileApp {
  /// The address that opens the app with a link on the device of a browser; nil where it has none,
  /// or none for such a device.
  ///
  /// iOS: the scheme that is named after the bundle, whose links the Firebase SDK reads. Android: an
  /// intent for the package.
  package func address(for link: String, userAgent: String?) -> String? {
    guard let userAgent else { return nil }
    if let bundle = iosBundleId, ["iPhone", "iPad", "iPod"].contains(where: userAgent.contains) {
      guard Self.isName(bundle, besides: "-") else { return nil }
      return "\(bundle)://google/link?deep_link_id=\(PercentCoding.encodeForm(link))"
    }
    if let package = androidPackageName, userAgent.contains("Android") {
      guard Self.isName(package, besides: "_"), let url = WebURL(link) else { return nil }
      let rest = link.drop { $0 != ":" }.dropFirst()
      return
        "intent:\(rest.prefix { $0 != "#" })#Intent;scheme=\(url.scheme);package=\(package);end"
    }
    return nil
  }

  /// Two or more words with points between them: nothing that could be a scheme of the web, and
  /// nothing that could end the part of an address that it is in.
  private static func isName(_ text: String, besides mark: Character) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    return words.count > 1 && text.utf8.count <= 255
      && words.allSatisfy { word in
        word.first?.isLetter == true
          && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == mark) }
      }
  }
}
