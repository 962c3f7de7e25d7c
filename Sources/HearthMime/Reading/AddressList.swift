/// The addresses of a header, such as `Sam <sam@example.test>, team: a@x.test, b@x.test;`.
///
/// Reads any content: names without an address, addresses without a domain, missing
/// commas, comments.
struct AddressList {
  static let most = 2_000

  static func parse(_ bytes: [UInt8], defects: inout MailDefects) -> [MimeAddress] {
    var list = AddressList(bytes: bytes)
    list.run(&defects)
    return list.addresses
  }

  private struct Word {
    /// What it means: without quotation marks.
    var text: [UInt8] = []
    /// As it is written.
    var source: [UInt8] = []
    var hasAt = false
  }

  private let bytes: [UInt8]
  private var position = 0
  private var addresses: [MimeAddress] = []
  private var words: [Word] = []
  private var word = Word()
  private var comment: [UInt8] = []
  private var angle: [UInt8]?

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run(_ defects: inout MailDefects) {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""): quoted()
      case UInt8(ascii: "("): readComment()
      case UInt8(ascii: "<"): readAngle(&defects)
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        position += 1
        endAddress(&defects)
      case UInt8(ascii: ":") where !word.hasAt && angle == nil:
        // The name of a group; its members follow.
        position += 1
        (words, word, comment) = ([], Word(), [])
      default:
        position += 1
        if byte.isWhitespace {
          endWord()
        } else {
          beginWord(&defects)
          word.text.append(byte)
          word.source.append(byte)
          if byte == UInt8(ascii: "@") { word.hasAt = true }
        }
      }
    }
    endAddress(&defects)
  }

  /// After `<…>` only a comma should come. Anything else is the next address.
  private mutating func beginWord(_ defects: inout MailDefects) {
    if angle != nil { endAddress(&defects) }
  }

  private mutating func endWord() {
    if !word.source.isEmpty { words.append(word) }
    word = Word()
  }

  private mutating func quoted() {
    if angle != nil {
      var none = MailDefects()
      endAddress(&none)
    }
    word.source.append(bytes[position])
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      word.source.append(byte)
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), position < bytes.count {
        word.source.append(bytes[position])
        word.text.append(bytes[position])
        position += 1
      } else {
        word.text.append(byte)
      }
    }
  }

  private mutating func readComment() {
    var depth = 0
    if !comment.isEmpty { comment.append(ASCII.space) }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "("):
        depth += 1
        if depth > 1 { comment.append(byte) }
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return endWord() }
        comment.append(byte)
      case UInt8(ascii: "\\") where position < bytes.count:
        comment.append(bytes[position])
        position += 1
      default: comment.append(byte)
      }
    }
    endWord()
  }

  private mutating func readAngle(_ defects: inout MailDefects) {
    if angle != nil { endAddress(&defects) }
    endWord()
    position += 1
    let rest = bytes[position...]
    let end =
      rest.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") } ?? bytes.count
    let inner = rest[..<end]
    if end < bytes.count, bytes[end] == UInt8(ascii: ">") {
      position = end + 1
    } else {
      // Without its end, the address ends at the next comma.
      defects.add("An address has no closing bracket.")
      position = inner.firstIndex(of: UInt8(ascii: ",")) ?? end
    }
    var address = rest[..<min(end, position)].trimmed
    // An old form names the way there: <@a.test,@b.test:sam@c.test>.
    if address.first == UInt8(ascii: "@"), let colon = address.firstIndex(of: UInt8(ascii: ":")) {
      address = address[(colon + 1)...]
    }
    angle = Array(address)
  }

  private mutating func endAddress(_ defects: inout MailDefects) {
    endWord()
    defer { (words, comment, angle) = ([], [], nil) }
    guard addresses.count < Self.most else {
      return defects.add("There are more than \(Self.most) addresses; the rest was skipped.")
    }
    if let angle {
      let name = name(words, defects: &defects)
      if angle.isEmpty, name == nil { return }
      return add(name, address: angle)
    }
    guard words.contains(where: \.hasAt) else {
      guard let name = name(words, defects: &defects) else { return }
      return addresses.append(MimeAddress(name: name, address: ""))
    }
    // `sam@x.test (Sam)`, `Sam sam@x.test`, or several addresses without commas.
    var before: [Word] = []
    for word in words where addresses.count < Self.most {
      guard word.hasAt else {
        before.append(word)
        continue
      }
      add(name(before, defects: &defects), address: word.source)
      before = []
    }
  }

  private mutating func add(_ name: String?, address: [UInt8]) {
    let address = address.lenientText
    addresses.append(MimeAddress(name: name == address ? nil : name, address: address))
  }

  private func name(_ words: [Word], defects: inout MailDefects) -> String? {
    var bytes = Array(words.map(\.text).joined(separator: [ASCII.space]))
    if bytes.isEmpty { bytes = comment }
    let name = EncodedWords.decode(bytes, defects: &defects).trimmedText
    return name.isEmpty ? nil : name
  }
}

extension MimeAddress {
  /// The addresses of a text such as `Sam <sam@example.test>, ana@example.test`.
  package static func list(_ text: String) -> [MimeAddress] {
    var defects = MailDefects()
    return AddressList.parse(Array(text.utf8), defects: &defects)
  }
}
