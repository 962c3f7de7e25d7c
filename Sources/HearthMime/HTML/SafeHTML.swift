import HearthWire

/// HTML of a mail that can be shown: without scripts, forms, and what loads from elsewhere.
///
/// Only elements and attributes that are known to be harmless are written, and everything is written
/// again from what was read, so that nothing depends on how a browser reads broken HTML.
package struct SafeHTML: Sendable {
  package private(set) var html = ""
  /// How many pictures were left out because they load from elsewhere.
  package private(set) var hiddenPictures = 0

  private let showsRemotePictures: Bool
  /// The name of the element whose content is left out, and how often it is open.
  private var dropped: (element: String, depth: Int)?
  private var open: [String: Int] = [:]
  private var output: [UInt8] = []

  /// The closure gives the URL of the attachment with a content id, and nil if there is none.
  package init(
    _ html: String, showsRemotePictures: Bool = false, picture: (String) -> String? = { _ in nil }
  ) {
    self.showsRemotePictures = showsRemotePictures
    var scanner = HTMLScanner(html)
    while let token = scanner.next() { read(token, picture: picture) }
    self.html = String(decoding: output, as: UTF8.self)
    output = []
  }

  private mutating func read(_ token: HTMLScanner.Token, picture: (String) -> String?) {
    switch token {
    case .start(let tag):
      if let element = dropped {
        if element.element == tag.name { dropped?.depth += 1 }
      } else if Self.droppedElements.contains(tag.name) {
        dropped = (tag.name, 1)
      } else if Self.elements.contains(tag.name) {
        write(tag, picture: picture)
      }
    case .end(let name):
      if let element = dropped {
        guard element.element == name else { return }
        dropped = element.depth > 1 ? (name, element.depth - 1) : nil
      } else if Self.elements.contains(name), open[name, default: 0] > 0 {
        open[name, default: 0] -= 1
        output.append(contentsOf: "</\(name)>".utf8)
      }
    case .text(let bytes) where dropped == nil: escape(HTMLEntities.decode(bytes))
    case .raw("style", let bytes) where dropped == nil:
      let css = String(decoding: bytes, as: UTF8.self)
      output.append(contentsOf: "<style>\(safeStyle(css, picture: picture))</style>".utf8)
    case .raw(let element, let bytes) where dropped == nil && Self.shownRaw.contains(element):
      escape(HTMLEntities.decode(bytes))
    case .text, .raw: break
    }
  }

  private mutating func escape(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
      default: output.append(byte)
      }
    }
  }

  private mutating func write(_ tag: HTMLTag, picture: (String) -> String?) {
    output.append(contentsOf: "<\(tag.name)".utf8)
    for attribute in tag.attributes {
      guard let value = safeValue(attribute, of: tag.name, picture: picture) else { continue }
      output.append(contentsOf: " \(attribute.name)=\"".utf8)
      escape(value)
      output.append(UInt8(ascii: "\""))
    }
    if tag.name == "a" {
      output.append(contentsOf: " target=\"_blank\" rel=\"noopener noreferrer\"".utf8)
    }
    output.append(UInt8(ascii: ">"))
    if !tag.isVoid { open[tag.name, default: 0] += 1 }
  }

  // MARK: Attributes

  /// Nil for an attribute that is left out.
  private mutating func safeValue(
    _ attribute: HTMLTag.Attribute, of element: String, picture: (String) -> String?
  ) -> String? {
    switch attribute.name {
    case "href" where element == "a" || element == "area": Self.safeLink(attribute.value)
    case "src" where element == "img": safePicture(attribute.value, picture: picture)
    case "background": safePicture(attribute.value, picture: picture)
    case "style": safeStyle(attribute.value, picture: picture)
    default: Self.attributes.contains(attribute.name) ? attribute.value : nil
    }
  }

  /// As browsers read it: they skip line ends and tabs anywhere, and controls in front.
  private static func address(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F && $0 != "\u{FEFF}" }))
  }

  /// The scheme in lower case; nil for a relative address.
  private static func scheme(_ address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon]
    let isScheme = scheme.utf8.allSatisfy {
      $0.isASCIIAlphanumeric || "+-.".utf8.contains($0)
    }
    return isScheme && scheme.utf8.first?.isASCIILetter == true ? scheme.lowercased() : nil
  }

  /// Links may open any app, but run nothing and show nothing of this machine.
  private static func safeLink(_ text: String) -> String? {
    let address = address(text)
    if address.hasPrefix("#") { return address }
    guard let scheme = scheme(address), !refusedSchemes.contains(scheme) else { return nil }
    return address
  }

  private static let refusedSchemes: Set<String> = [
    "about", "blob", "data", "file", "filesystem", "javascript", "livescript", "mocha", "vbscript",
    "view-source",
  ]

  private mutating func safePicture(_ text: String, picture: (String) -> String?) -> String? {
    let address = Self.address(text)
    switch Self.scheme(address) {
    case "cid": return picture(Self.contentId(address))
    case "data": return Self.isPicture(address) ? address : nil
    case "http", "https":
      if showsRemotePictures { return address }
      hiddenPictures += 1
      return nil
    default: return nil
    }
  }

  private static func contentId(_ address: String) -> String {
    PercentCoding.decode(address.dropFirst(4))
  }

  private static func isPicture(_ address: String) -> Bool {
    let start = address.prefix(40).lowercased()
    return ["png", "jpeg", "jpg", "gif", "webp", "bmp"].contains {
      start.hasPrefix("data:image/\($0);") || start.hasPrefix("data:image/\($0),")
    }
  }

  // MARK: Styles

  /// Without what loads or runs. Backslashes could hide that, and are left out.
  private mutating func safeStyle(_ css: String, picture: (String) -> String?) -> String {
    let plain = String(
      decoding: css.utf8.filter { $0 != 0x5C && $0 != 0x3C && $0 != 0 }, as: UTF8.self)
    let lower = plain.lowercased()
    let risks = ["url", "@import", "expression", "binding", "behavior", "image", "src("]
    guard risks.contains(where: lower.contains) else { return plain }
    var style = SafeStyle(plain)
    return style.text { address in safePicture(address, picture: picture) }
  }

  // MARK: Tables

  /// Left out with all that is within them.
  private static let droppedElements: Set<String> = [
    "applet", "audio", "canvas", "datalist", "frameset", "math", "object", "select",
    "svg", "template", "video",
  ]

  private static let shownRaw: Set<String> = ["textarea", "xmp", "plaintext"]

  /// The others are left out, and what is within them stays. Browsers give the attributes of `html` and
  /// `body` to the page.
  private static let elements: Set<String> = [
    "a", "abbr", "acronym", "address", "area", "article", "aside", "b", "bdi", "bdo", "big",
    "blockquote", "body", "br", "caption", "center", "cite", "code", "col", "colgroup", "dd", "del",
    "details", "dfn", "dir", "div", "dl", "dt", "em", "figcaption", "figure", "font", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "i", "img", "ins", "kbd", "li",
    "main", "map", "mark", "nav", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section",
    "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot",
    "th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr",
  ]

  private static let attributes: Set<String> = [
    "abbr", "align", "alt", "aria-hidden", "aria-label", "bgcolor", "border", "cellpadding",
    "cellspacing", "class", "clear", "color", "cols", "colspan", "coords", "datetime", "dir",
    "face", "headers", "height", "hspace", "id", "lang", "nowrap", "reversed", "role", "rowspan",
    "rows", "scope", "shape", "size", "span", "start", "summary", "title", "type", "valign",
    "value", "vspace", "width",
  ]
}
