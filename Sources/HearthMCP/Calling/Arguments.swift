import HearthWire

/// The arguments of a call, checked against the tool's parameters.
struct Arguments: Sendable {
  private let object: JSONObject

  init(_ given: JSON, for tool: any Tool.Type) throws(ToolFailure) {
    let parameters = tool.parameters + [Parameter.project]
    let next = "Call \(tool.name) again, for example with \(tool.example.text)"
    guard let object = given.object else {
      throw ToolFailure("The arguments of \(tool.name) must be an object.", next: next)
    }
    // Many clients send null for what they leave out.
    let members = object.members.filter { !$0.value.isNull }
    for (name, value) in members {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        let advice = ToolTable.nearest(to: name, of: parameters.map(\.name))
        throw ToolFailure(
          "\(tool.name) has no argument \"\(name.prefix(100))\". \(advice)", next: next)
      }
      if let fault = parameter.fault(of: value) {
        throw ToolFailure("\"\(name)\" \(fault).", next: next)
      }
    }
    self.object = JSONObject(members: members)
    for parameter in parameters where parameter.isRequired && self.object[parameter.name] == nil {
      throw ToolFailure("\"\(parameter.name)\" is missing: \(parameter.text)", next: next)
    }
  }

  subscript(name: String) -> JSON? { object[name] }
  func string(_ name: String) -> String? { object[name]?.string }
  func bool(_ name: String) -> Bool { object[name]?.bool ?? false }
  func whole(_ name: String, default value: Int64) -> Int64 { object[name]?.integer ?? value }

  /// The arguments of these names, as they were given.
  func only(_ names: String...) -> JSONObject {
    JSONObject(members: object.members.filter { names.contains($0.key) })
  }
}
