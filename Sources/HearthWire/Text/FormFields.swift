/// The name-value pairs of a query string or form, in order.
package struct FormFields: Sendable, Equatable {
  package var pairs: [Pair]

  package struct Pair: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(_ pairs: [Pair] = []) { self.pairs = pairs }

  package init(parsing text: some StringProtocol) {
    var text = String(text)
    pairs = text.withUTF8 { bytes in
      bytes.split(separator: UInt8(ascii: "&")).map { part in
        let mark = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        return Pair(
          name: PercentCoding.decode(part[..<mark], plusAsSpace: true),
          value: PercentCoding.decode(part[mark...].dropFirst(), plusAsSpace: true))
      }
    }
  }

  /// The first value of that name.
  package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// The pairs but for those whose name came before.
  package var uniquePairs: [Pair] {
    var names: Set<String> = []
    return pairs.filter { names.insert($0.name).inserted }
  }

  /// Replaces the pairs of that name where the first one is, as `URLSearchParams` does.
  package mutating func set(_ pair: Pair) {
    guard let index = pairs.firstIndex(where: { $0.name == pair.name }) else {
      pairs.append(pair)
      return
    }
    pairs[index] = pair
    let rest = pairs[(index + 1)...].filter { $0.name != pair.name }
    pairs.replaceSubrange((index + 1)..., with: rest)
  }

  package func values(of name: String) -> [String] {
    pairs.filter { $0.name == name }.map(\.value)
  }

  package var text: String {
    pairs.map {
      PercentCoding.encodeForm($0.name) + "=" + PercentCoding.encodeForm($0.value)
    }.joined(separator: "&")
  }
}
