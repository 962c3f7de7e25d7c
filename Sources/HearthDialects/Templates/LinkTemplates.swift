import HearthPages
import HearthWire

/// The link of a message: one for all, or one for each kind of client, as `{"web": …, "*": …}`.
struct LinkTemplates: Sendable {
  private let fallback: Template
  private let byClient: [String: Template]

  init(
    _ value: DefinitionValue, allowed: Set<Placeholder>, clients: [ClientRule]
  ) throws(DefinitionFault) {
    guard value.json.object != nil else {
      fallback = try Self.link(value, allowed: allowed)
      byClient = [:]
      return
    }
    var links: [String: Template] = [:]
    let object = try value.anyObject()
    for member in object.members {
      guard member.name == "*" || clients.contains(where: { $0.name == member.name }) else {
        throw member.value.fault("is not a client of \"clients\"; \"*\" means all others")
      }
      links[member.name] = try Self.link(member.value, allowed: allowed)
    }
    guard let fallback = links["*"] else {
      throw object.missing("*", reason: "is missing; it is the link for all other clients")
    }
    self.fallback = fallback
    byClient = links
  }

  private static func link(
    _ value: DefinitionValue, allowed: Set<Placeholder>
  ) throws(DefinitionFault) -> Template {
    let template = try Template(value, allowed: allowed)
    // The scheme decides what following the link does, so no value may take part in it.
    guard case .text(let start)? = template.parts.first, start.contains(":"),
      HTML.linkTarget(start) != nil
    else {
      throw value.fault("must begin with a scheme such as \"https:\" or the app's own")
    }
    var sample = Values()
    for placeholder in allowed { sample[placeholder] = "x" }
    let text = template.text(sample)
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), WebURL(text) != nil else {
      throw value.fault("must be a URL")
    }
    return template
  }

  var carriesToken: Bool {
    fallback.uses(.token) && byClient.values.allSatisfy { $0.uses(.token) }
  }

  func link(for client: String, _ values: Values) -> String {
    (byClient[client] ?? fallback).text(values, escape: PercentCoding.encodeComponent)
  }
}
