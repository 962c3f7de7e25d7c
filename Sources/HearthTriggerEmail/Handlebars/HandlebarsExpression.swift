import HearthWire

/// The content of a tag: `helper param key=value`, or a path alone.
struct HandlebarsCall: Sendable {
  var subject: HandlebarsOperand
  var params: [HandlebarsOperand] = []
  var hash: [(name: String, value: HandlebarsOperand)] = []
  /// The names after `as |item index|`.
  var blockParams: [String] = []

  var isAlone: Bool { params.isEmpty && hash.isEmpty }

  /// The name of a helper, if this can be one.
  var name: String? {
    if case .path(let path) = subject { path.helperName } else { nil }
  }
}

indirect enum HandlebarsOperand: Sendable {
  case path(HandlebarsPath)
  case literal(JSON?)
  case call(HandlebarsCall)
}

/// `a.b`, `../a`, `@index`, `this.[b c]`.
struct HandlebarsPath: Sendable {
  /// How many `..` come first.
  var depth = 0
  var isData = false
  /// Written with `this`, `.` or `..` in front: never a helper or a block parameter.
  var isScoped = false
  var segments: [String] = []
  /// As it was written, for messages.
  var text = ""

  var helperName: String? {
    depth == 0 && !isData && !isScoped && segments.count == 1 ? segments[0] : nil
  }
}

/// Reads the inside of a tag.
struct HandlebarsExpressionParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private let source: String

  static func call(_ text: String) throws(HandlebarsError) -> HandlebarsCall {
    var parser = HandlebarsExpressionParser(text)
    let call = try parser.call(until: nil)
    guard parser.position == parser.scalars.count else { throw parser.failure }
    return call
  }

  private init(_ text: String) {
    source = text
    scalars = Array(text.unicodeScalars)
  }

  private var failure: HandlebarsError {
    HandlebarsError("Parse error: '\(source.trimmedOfSpace)' is not an expression")
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func skipSpace() {
    while let scalar = next, scalar.properties.isWhitespace { position += 1 }
  }

  private mutating func call(until end: Unicode.Scalar?) throws(HandlebarsError) -> HandlebarsCall {
    skipSpace()
    guard next != nil, next != end else { throw failure }
    var call = HandlebarsCall(subject: try operand())
    while true {
      skipSpace()
      guard let scalar = next, scalar != end else { return call }
      if scalar == "a", takeBlockParams(&call) { continue }
      if let name = takeHashName() {
        call.hash.append((name, try operand()))
      } else {
        guard call.hash.isEmpty else { throw failure }
        call.params.append(try operand())
      }
    }
  }

  /// `as |a b|`.
  private mutating func takeBlockParams(_ call: inout HandlebarsCall) -> Bool {
    var start = position + 2
    guard start < scalars.count, scalars[position + 1] == "s",
      scalars[start].properties.isWhitespace
    else { return false }
    while start < scalars.count, scalars[start].properties.isWhitespace { start += 1 }
    guard start < scalars.count, scalars[start] == "|",
      let end = scalars[(start + 1)...].firstIndex(of: "|")
    else { return false }
    call.blockParams = text(start + 1..<end).split(whereSeparator: \.isWhitespace).map(String.init)
    position = end + 1
    return true
  }

  /// The name before `=`; nil, where what follows is a parameter.
  private mutating func takeHashName() -> String? {
    var end = position
    while end < scalars.count, Self.isName(scalars[end]) { end += 1 }
    guard end > position, end < scalars.count, scalars[end] == "=" else { return nil }
    let name = text(position..<end)
    position = end + 1
    skipSpace()
    return name
  }

  private mutating func operand() throws(HandlebarsError) -> HandlebarsOperand {
    guard let scalar = next else { throw failure }
    switch scalar {
    case "(":
      depth += 1
      guard depth < 50 else { throw failure }
      position += 1
      let inner = try call(until: ")")
      guard next == ")" else { throw failure }
      position += 1
      depth -= 1
      return .call(inner)
    case "\"", "'":
      let start = position + 1
      guard let end = scalars[start...].firstIndex(of: scalar) else { throw failure }
      position = end + 1
      return .literal(.string(text(start..<end)))
    default: return try word()
    }
  }

  private mutating func word() throws(HandlebarsError) -> HandlebarsOperand {
    let start = position
    let path = try path()
    let word = text(start..<position)
    switch word {
    case "true": return .literal(true)
    case "false": return .literal(false)
    case "null": return .literal(.null)
    case "undefined": return .literal(nil)
    default: break
    }
    if let number = Int64(word) { return .literal(.int(number)) }
    if word.first?.isNumber == true || word.first == "-", let number = Double(word) {
      return .literal(.double(number))
    }
    return .path(path)
  }

  private mutating func path() throws(HandlebarsError) -> HandlebarsPath {
    var path = HandlebarsPath()
    let start = position
    if next == "@" {
      path.isData = true
      position += 1
    }
    while true {
      if next == "[" {
        guard let end = scalars[position...].firstIndex(of: "]") else { throw failure }
        path.segments.append(text(position + 1..<end))
        position = end + 1
      } else if take("..") {
        guard path.segments.isEmpty else { throw failure }
        path.depth += 1
        path.isScoped = true
      } else if next == ".", path.segments.isEmpty {
        position += 1
        path.isScoped = true
        if next == "/" { position += 1 }
        guard let scalar = next, Self.isName(scalar) || scalar == "[" else { break }
        continue
      } else {
        let from = position
        while let scalar = next, Self.isName(scalar) { position += 1 }
        guard position > from else { throw failure }
        let name = text(from..<position)
        if name == "this", path.segments.isEmpty, !path.isData {
          path.isScoped = true
        } else {
          path.segments.append(name)
        }
      }
      guard next == "." || next == "/" else { break }
      position += 1
    }
    path.text = text(start..<position)
    return path
  }

  private mutating func take(_ word: String) -> Bool {
    let wanted = Array(word.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private static let separators: Set<Unicode.Scalar> = [
    "!", "\"", "#", "%", "&", "'", "(", ")", "*", "+", ",", ".", "/", ";", "<", "=", ">", "@", "[",
    "\\", "]", "^", "`", "{", "|", "}", "~",
  ]

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !separators.contains(scalar)
  }
}
