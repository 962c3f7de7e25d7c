/// Elements as text, in the one form over which signatures are made: exclusive canonical XML without
/// comments. https://www.w3.org/TR/xml-exc-c14n/
///
/// Hearth writes all its documents in this form.
package enum CanonicalXML {
  /// The child at the index `omitting` is left out: its own signature. The prefixes in `inclusive`
  /// are declared whether or not they are used; the empty one is the default.
  package static func text(
    of element: XMLElement, omitting: Int? = nil, inclusive: Set<String> = []
  ) -> String {
    var writer = Writer(inclusive: inclusive)
    writer.write(element, declared: [:], omitting: omitting)
    return writer.output
  }

  private struct Writer {
    let inclusive: Set<String>
    var output = ""

    mutating func write(
      _ element: XMLElement, declared: [String: String], omitting: Int? = nil
    ) {
      var declared = declared
      output += "<" + Self.written(element.name)
      for (prefix, namespace) in declarations(of: element, declared: declared) {
        declared[prefix] = namespace
        output += prefix.isEmpty ? " xmlns=\"" : " xmlns:\(prefix)=\""
        writeValue(namespace)
      }
      for attribute in element.attributes.sorted(by: Self.comesBefore) {
        output += " \(Self.written(attribute.name))=\""
        writeValue(attribute.value)
      }
      output += ">"
      for (index, child) in element.children.enumerated() where index != omitting {
        switch child {
        case .element(let child): write(child, declared: declared)
        case .text(let text): writeText(text)
        }
      }
      output += "</\(Self.written(element.name))>"
    }

    private static func written(_ name: XMLName) -> String {
      name.prefix.isEmpty ? name.local : "\(name.prefix):\(name.local)"
    }

    /// What the element uses, and nothing around it has declared.
    private func declarations(
      of element: XMLElement, declared: [String: String]
    ) -> [(prefix: String, namespace: String)] {
      var used = [element.name.prefix: element.name.namespace]
      for attribute in element.attributes where !attribute.name.prefix.isEmpty {
        used[attribute.name.prefix] = attribute.name.namespace
      }
      // The list is the sender's, and may be long; the scope has a bound.
      for (prefix, namespace) in element.scope where inclusive.contains(prefix) {
        used[prefix] = namespace
      }
      used["xml"] = nil
      return used.filter { prefix, namespace in
        prefix.isEmpty && namespace.isEmpty
          ? !(declared[""] ?? "").isEmpty : declared[prefix] != namespace
      }
      .sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      .map { ($0.key, $0.value) }
    }

    private static func comesBefore(
      _ left: XMLElement.Attribute, _ right: XMLElement.Attribute
    ) -> Bool {
      let (one, other) = (left.name, right.name)
      return one.namespace == other.namespace
        ? one.local.unicodeScalars.lexicographicallyPrecedes(other.local.unicodeScalars)
        : one.namespace.unicodeScalars.lexicographicallyPrecedes(other.namespace.unicodeScalars)
    }

    private mutating func writeText(_ text: String) {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": output += "&amp;"
        case "<": output += "&lt;"
        case ">": output += "&gt;"
        case "\r": output += "&#xD;"
        default: output.unicodeScalars.append(scalar)
        }
      }
    }

    private mutating func writeValue(_ text: String) {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": output += "&amp;"
        case "<": output += "&lt;"
        case "\"": output += "&quot;"
        case "\t": output += "&#x9;"
        case "\n": output += "&#xA;"
        case "\r": output += "&#xD;"
        default: output.unicodeScalars.append(scalar)
        }
      }
      output += "\""
    }
  }
}
