package import HearthWire

/// A template in the language of Handlebars 4, with its built-in helpers.
package struct HandlebarsTemplate: Sendable {
  let nodes: [HandlebarsNode]

  package init(_ text: String) throws(HandlebarsError) {
    nodes = try HandlebarsParser.nodes(text)
  }

  package struct Options: Sendable {
    /// Whether `{{x}}` is escaped for HTML.
    package var escapes = true
    /// Whether a missing value is an error.
    package var isStrict = false
    package var partials: [String: HandlebarsTemplate] = [:]

    package init(
      escapes: Bool = true, isStrict: Bool = false, partials: [String: HandlebarsTemplate] = [:]
    ) {
      self.escapes = escapes
      self.isStrict = isStrict
      self.partials = partials
    }
  }

  package func render(
    _ context: JSON, options: Options = Options()
  ) throws(HandlebarsError) -> String {
    var rendering = HandlebarsRendering(options, root: context)
    try rendering.render(nodes, scope: HandlebarsScope(value: context))
    return rendering.output
  }
}

/// What names mean at a place of a template. A class, for each scope refers to those around it.
final class HandlebarsScope {
  /// Nil for JavaScript's undefined.
  let value: JSON?
  let parent: HandlebarsScope?
  /// `@index` and its like.
  let data: [String: JSON]
  let names: [String: JSON?]
  /// What the block of a partial holds, and where.
  let partialBlock: (nodes: [HandlebarsNode], scope: HandlebarsScope)?
  /// Whether `..` comes here. A block such as `if` has the context of what is around it.
  let isStep: Bool

  init(
    value: JSON?, parent: HandlebarsScope? = nil, data: [String: JSON] = [:],
    names: [String: JSON?] = [:],
    partialBlock: (nodes: [HandlebarsNode], scope: HandlebarsScope)? = nil, isStep: Bool = true
  ) {
    self.value = value
    self.parent = parent
    self.data = data
    self.names = names
    self.partialBlock = partialBlock
    self.isStep = isStep
  }

  func up(_ steps: Int) -> HandlebarsScope? {
    var scope: HandlebarsScope? = self
    for _ in 0..<steps {
      while let inner = scope, !inner.isStep { scope = inner.parent }
      scope = scope?.parent
    }
    return scope
  }

  func named(_ name: String) -> JSON?? {
    var scope: HandlebarsScope? = self
    while let current = scope {
      if let value = current.names[name] { return value }
      scope = current.parent
    }
    return nil
  }

  /// Looks outwards, as data of an outer loop is seen in an inner one under names of its own only.
  func data(_ name: String, up steps: Int) -> JSON? {
    var scope: HandlebarsScope? = self
    var left = steps
    while let current = scope {
      if !current.data.isEmpty {
        if left > 0 {
          left -= 1
        } else if let value = current.data[name] {
          return value
        }
      }
      scope = current.parent
    }
    return nil
  }

  var blockOfPartial: (nodes: [HandlebarsNode], scope: HandlebarsScope)? {
    partialBlock ?? parent?.blockOfPartial
  }
}
