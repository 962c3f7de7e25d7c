import HearthWire

/// A part of a template.
indirect enum HandlebarsNode: Sendable {
  case text(String)
  case output(HandlebarsCall, isEscaped: Bool)
  case block(HandlebarsBlock)
  case partial(HandlebarsPartial)
}

struct HandlebarsBlock: Sendable {
  var call: HandlebarsCall
  var body: [HandlebarsNode] = []
  var otherwise: [HandlebarsNode]?
  /// `{{^x}}…{{/x}}`.
  var isInverse = false
}

struct HandlebarsPartial: Sendable {
  var call: HandlebarsCall
  var indentation: String
  /// What a partial with a block has in it.
  var block: [HandlebarsNode]?
}

/// Makes a tree of a template's tags.
struct HandlebarsParser {
  private static let deepest = 100

  private let tokens: [HandlebarsTokens.Token]
  private var position = 0
  private var depth = 0

  static func nodes(_ template: String) throws(HandlebarsError) -> [HandlebarsNode] {
    var parser = HandlebarsParser(tokens: try HandlebarsTokens(template).tokens)
    let nodes = try parser.nodes()
    if case .tag(let tag)? = parser.next {
      let mark = tag.kind == .close ? "/" : "else "
      throw HandlebarsError("Parse error: {{\(mark)\(tag.content)}} has no block")
    }
    return nodes
  }

  private init(tokens: [HandlebarsTokens.Token]) { self.tokens = tokens }

  private var next: HandlebarsTokens.Token? {
    position < tokens.count ? tokens[position] : nil
  }

  /// Up to the end of the block, or an `else`.
  private mutating func nodes() throws(HandlebarsError) -> [HandlebarsNode] {
    var nodes: [HandlebarsNode] = []
    while let token = next {
      switch token {
      case .text(let text):
        nodes.append(.text(text))
        position += 1
      case .tag(let tag):
        if tag.kind == .close || tag.kind == .alternative { return nodes }
        position += 1
        nodes.append(try node(tag))
      }
    }
    return nodes
  }

  private mutating func node(
    _ tag: HandlebarsTokens.Tag
  ) throws(HandlebarsError) -> HandlebarsNode {
    if tag.content.hasPrefix("*") {
      throw HandlebarsError("Parse error: decorators such as inline partials are not supported")
    }
    let call = try HandlebarsExpressionParser.call(tag.content)
    switch tag.kind {
    case .open: return .block(try block(call, isInverse: false))
    case .inverse: return .block(try block(call, isInverse: true))
    case .partial:
      return .partial(HandlebarsPartial(call: call, indentation: tag.indentation))
    case .partialBlock:
      let inner = try block(call, isInverse: false)
      return .partial(
        HandlebarsPartial(call: call, indentation: tag.indentation, block: inner.body))
    case .output: return .output(call, isEscaped: true)
    case .unescaped, .close, .comment, .alternative: return .output(call, isEscaped: false)
    }
  }

  private mutating func block(
    _ call: HandlebarsCall, isInverse: Bool
  ) throws(HandlebarsError) -> HandlebarsBlock {
    let block = try openBlock(call, isInverse: isInverse)
    guard case .tag(let tag)? = next, tag.kind == .close else {
      throw HandlebarsError("Parse error: the block \(Self.name(call)) is not closed")
    }
    guard tag.content == Self.name(call) else {
      throw HandlebarsError("\(Self.name(call)) doesn't match \(tag.content)")
    }
    position += 1
    return block
  }

  /// A block without its closing tag, which chained ones share.
  private mutating func openBlock(
    _ call: HandlebarsCall, isInverse: Bool
  ) throws(HandlebarsError) -> HandlebarsBlock {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else {
      throw HandlebarsError("Parse error: blocks are nested too deeply")
    }
    var block = HandlebarsBlock(call: call, isInverse: isInverse)
    block.body = try nodes()
    guard case .tag(let tag)? = next, tag.kind == .alternative else { return block }
    position += 1
    if tag.content.isEmpty {
      block.otherwise = try nodes()
    } else {
      let chained = try HandlebarsExpressionParser.call(tag.content)
      block.otherwise = [.block(try openBlock(chained, isInverse: false))]
    }
    return block
  }

  private static func name(_ call: HandlebarsCall) -> String {
    switch call.subject {
    case .path(let path): path.text
    case .literal(let value): value?.string ?? value?.text ?? ""
    case .call: ""
    }
  }
}
