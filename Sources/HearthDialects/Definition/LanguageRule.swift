import HearthWire

/// Which languages a back end speaks, and how a request asks for one.
struct LanguageRule: Sendable {
  /// BCP 47, in lower case.
  let `default`: String
  let spoken: [String]
  let source: FieldSource

  static let english = LanguageRule(default: "en", spoken: ["en"], source: .acceptLanguage)

  private init(default: String, spoken: [String], source: FieldSource) {
    self.default = `default`
    self.spoken = spoken
    self.source = source
  }

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    let object = try value.object(["default", "others", "from"])
    var spoken = [try Self.tag(object.required("default"))]
    for other in try object["others"]?.elements() ?? [] {
      let tag = try Self.tag(other)
      guard !spoken.contains(tag) else { throw other.fault("occurs twice") }
      spoken.append(tag)
    }
    self.default = spoken[0]
    self.spoken = spoken
    source = try object.optional("from", read: FieldSource.init) ?? .acceptLanguage
  }

  private static func tag(_ value: DefinitionValue) throws(DefinitionFault) -> String {
    let text = try value.string().lowercased()
    guard text.utf8.count <= 35, text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == 0x2D })
    else { throw value.fault("must be a language such as \"en\" or \"pt-BR\"") }
    return text
  }

  /// The first language spoken here of a list such as `de-AT, de;q=0.9, en;q=0.5`.
  func best(for wish: String?) -> String {
    let ranges = (wish ?? "").prefix(500).split(separator: ",").map { part in
      let pieces = part.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      let quality = pieces.first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      return (tag: (pieces.first ?? "").replacing("_", with: "-"), quality: quality)
    }
    // Sorting is not stable, and equal wishes count in the order in which they were made.
    let ordered = ranges.enumerated().sorted { left, right in
      left.element.quality == right.element.quality
        ? left.offset < right.offset : left.element.quality > right.element.quality
    }
    for range in ordered.map(\.element) where range.quality > 0 {
      if let match = match(range.tag) { return match }
    }
    return self.default
  }

  /// `de-at` is served by `de-at`, then `de`, then any other German.
  private func match(_ tag: String) -> String? {
    let primary = tag.prefix { $0 != "-" }
    return spoken.first { $0 == tag } ?? spoken.first { $0 == primary }
      ?? spoken.first { $0.prefix { $0 != "-" } == primary }
  }
}
