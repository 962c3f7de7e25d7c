/// An element of a document, with all names resolved.
package struct XMLElement: Sendable, Equatable {
  package struct Attribute: Sendable, Equatable {
    package let name: XMLName
    package let value: String
  }

  package enum Node: Sendable, Equatable {
    case element(XMLElement)
    case text(String)
  }

  package let name: XMLName
  package var attributes: [Attribute]
  package var children: [Node]
  /// The namespaces that count here, by their prefixes. Empty for an element that was made here.
  let scope: [String: String]

  init(
    name: XMLName, attributes: [Attribute], children: [Node] = [], scope: [String: String] = [:]
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.scope = scope
  }

  /// The value of an attribute without a namespace.
  package subscript(attribute: String) -> String? {
    attributes.first { $0.name.local == attribute && $0.name.namespace.isEmpty }?.value
  }

  package var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  package func elements(_ namespace: SAMLNamespace, _ local: String) -> [XMLElement] {
    elements.filter { $0.isNamed(namespace, local) }
  }

  package func first(_ namespace: SAMLNamespace, _ local: String) -> XMLElement? {
    elements.first { $0.isNamed(namespace, local) }
  }

  package func isNamed(_ namespace: SAMLNamespace, _ local: String) -> Bool {
    name.local == local && name.namespace == namespace.rawValue
  }

  /// The text of the element itself, without spaces around it.
  package var text: String {
    let text = children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    return String(
      text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// The element and all elements in it.
  package var all: [XMLElement] { [self] + elements.flatMap(\.all) }
}

/// The name of an element or an attribute. Two names are the same whatever their prefixes are.
package struct XMLName: Sendable, Equatable {
  package let prefix: String
  package let local: String
  /// Empty for none.
  package let namespace: String

  package static func == (left: XMLName, right: XMLName) -> Bool {
    left.local == right.local && left.namespace == right.namespace
  }
}

/// The namespaces of SAML 2.0, and the prefixes that Hearth gives them.
package enum SAMLNamespace: String, Sendable {
  case protocols = "urn:oasis:names:tc:SAML:2.0:protocol"
  case assertion = "urn:oasis:names:tc:SAML:2.0:assertion"
  case metadata = "urn:oasis:names:tc:SAML:2.0:metadata"
  case signature = "http://www.w3.org/2000/09/xmldsig#"

  fileprivate var prefix: String {
    switch self {
    case .protocols: "saml2p"
    case .assertion: "saml2"
    case .metadata: "md"
    case .signature: "ds"
    }
  }
}

// MARK: Made here

extension XMLElement {
  /// Makes an element. Attributes without a value are left out.
  package init(
    _ namespace: SAMLNamespace, _ local: String,
    _ attributes: KeyValuePairs<String, String?> = [:], _ children: [XMLElement] = []
  ) {
    self.init(
      name: XMLName(prefix: namespace.prefix, local: local, namespace: namespace.rawValue),
      attributes: attributes.compactMap { name, value in
        value.map {
          Attribute(
            name: XMLName(prefix: "", local: name, namespace: ""), value: $0.withXMLCharacters)
        }
      },
      children: children.map(Node.element))
  }

  /// Makes an element that holds a text.
  package init(
    _ namespace: SAMLNamespace, _ local: String,
    _ attributes: KeyValuePairs<String, String?> = [:], text: String
  ) {
    self.init(namespace, local, attributes)
    children = [.text(text.withXMLCharacters)]
  }
}

extension String {
  /// With U+FFFD for characters that XML has no way to write, such as most control characters. One of
  /// them in somebody's name would make the whole answer unreadable.
  fileprivate var withXMLCharacters: String {
    guard !unicodeScalars.allSatisfy(XMLReader.isCharacter) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      text.unicodeScalars.append(XMLReader.isCharacter(scalar) ? scalar : "\u{FFFD}")
    }
    return text
  }
}
