import HearthWire

/// What a person sees of HTML: its lines, and its links with their labels.
package struct VisibleHTML: Sendable {
  package struct Line: Sendable {
    package var text: String
    /// The pieces of the line between tags: what an element has for itself.
    package var pieces: [String] = []
  }

  package struct Link: Sendable {
    package var href: String
    /// The text within the link, or that of its picture.
    package var label: String
    /// The text of the same line before the link, or the line before.
    package var before: String
  }

  package private(set) var lines: [Line] = []
  package private(set) var links: [Link] = []

  package var text: String { lines.map(\.text).joined(separator: "\n") }

  /// Reads at most that many bytes.
  package static let longest = 256 * 1024
  private static let mostLines = 5_000
  private static let mostLinks = 500

  private var line = ""
  private var pieces: [String] = []
  private var link: Link?
  private var hidden: (element: String, depth: Int, isPreview: Bool)?
  /// Texts that only the list of a mail program shows. They come last.
  private var previews: [String] = []

  package init(_ html: String) {
    let isLong = html.utf8.count > Self.longest
    var scanner = HTMLScanner(
      isLong ? String(decoding: html.utf8.prefix(Self.longest), as: UTF8.self) : html)
    while let token = scanner.next(), lines.count < Self.mostLines { read(token) }
    endLink()
    endLine()
    joinSingleCharacters()
    lines += previews.map { Line(text: $0, pieces: [$0]) }
    previews = []
  }

  private mutating func read(_ token: HTMLScanner.Token) {
    switch token {
    case .text(let bytes): add(HTMLEntities.decode(bytes))
    case .raw(let element, let bytes) where element == "textarea" || element == "xmp":
      add(HTMLEntities.decode(bytes))
    case .raw: break
    case .start(let tag): start(tag)
    case .end(let name): end(name)
    }
  }

  private mutating func start(_ tag: HTMLTag) {
    if let open = hidden {
      if open.element == tag.name { hidden?.depth += 1 }
      return
    }
    if !tag.isVoid, let isPreview = Self.hides(tag) {
      hidden = (tag.name, 1, isPreview)
      return
    }
    if Self.blocks.contains(tag.name) { endLine() }
    if tag.name == "a" || tag.name == "area", let href = tag["href"] {
      endLink()
      link = Link(
        href: href.trimmedText, label: tag["aria-label"] ?? tag["title"] ?? "",
        before: line.isEmpty ? lines.last?.text ?? "" : line)
      if tag.name == "area" { endLink() }
    } else if tag.name == "img", link?.label.isEmpty == true {
      link?.label = tag["alt"] ?? ""
    }
    newPiece = true
  }

  private mutating func end(_ name: String) {
    if let open = hidden {
      guard open.element == name else { return }
      hidden?.depth -= 1
      if open.depth == 1 { hidden = nil }
      return
    }
    if name == "a" { endLink() }
    if Self.blocks.contains(name) { endLine() }
    newPiece = true
  }

  private var newPiece = true
  private var linkText = ""

  /// White space becomes one blank.
  private mutating func add(_ text: String) {
    if let hidden {
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if hidden.isPreview, !words.isEmpty, previews.count < 20 { previews.append(words) }
      return
    }
    var words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if text.first?.isWhitespace == true, !line.isEmpty, line.last != " " { words = " " + words }
    if text.last?.isWhitespace == true, !words.isEmpty, words != " " { words += " " }
    guard !words.isEmpty else { return }
    line += words
    if newPiece || pieces.isEmpty {
      pieces.append(words)
    } else {
      pieces[pieces.count - 1] += words
    }
    newPiece = false
    if link != nil { linkText += words }
  }

  private mutating func endLine() {
    let text = line.trimmedText
    if !text.isEmpty { lines.append(Line(text: text, pieces: pieces.map(\.trimmedText))) }
    (line, pieces) = ("", [])
    if link != nil, !linkText.isEmpty { linkText += " " }
  }

  private mutating func endLink() {
    if var link, links.count < Self.mostLinks {
      let text = linkText.trimmedText
      if !text.isEmpty { link.label = text }
      links.append(link)
    }
    (link, linkText) = (nil, "")
  }

  /// A code with a cell for each character is one word.
  private mutating func joinSingleCharacters() {
    var joined: [Line] = []
    var run: [Line] = []
    for line in lines + [Line(text: "")] {
      if line.text.utf8.count == 1, let byte = line.text.utf8.first,
        byte.isASCIIAlphanumeric
      {
        run.append(line)
        continue
      }
      if run.count >= 4 {
        let word = run.map(\.text).joined()
        joined.append(Line(text: word, pieces: [word]))
      } else {
        joined += run
      }
      run = []
      joined.append(line)
    }
    lines = joined.dropLast()
  }

  /// Whether an element is not shown: true for a text that only the list of mails shows, nil for what
  /// is visible. A font of size zero hides nothing: templates set it on the cells around all text.
  private static func hides(_ tag: HTMLTag) -> Bool? {
    if unseen.contains(tag.name) || tag["hidden"] != nil { return false }
    guard let style = tag["style"] else { return nil }
    let rules = style.lowercased().filter { !$0.isWhitespace }.split(separator: ";")
      .map { $0.replacing("!important", with: "") }
    if rules.contains("display:none") || rules.contains("visibility:hidden") { return false }
    let zero = ["0", "0px", "0%", "0em"]
    return zero.contains { rules.contains("max-height:\($0)") || rules.contains("opacity:\($0)") }
      || rules.contains("mso-hide:all") ? true : nil
  }

  private static let unseen: Set<String> = ["head", "template", "object", "audio", "video", "svg"]

  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div",
    "dl", "dt", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody",
    "td", "tfoot", "th", "thead", "tr", "ul",
  ]
}
