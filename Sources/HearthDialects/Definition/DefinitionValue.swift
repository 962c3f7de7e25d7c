import HearthWire

/// A value of a definition, which knows where it is.
struct DefinitionValue {
  let json: JSON
  let pointer: String

  func fault(_ sentence: String) -> DefinitionFault {
    DefinitionFault(pointer: pointer, sentence: sentence)
  }

  /// A text that is not empty.
  func string() throws(DefinitionFault) -> String {
    guard let text = json.string else { throw fault("must be a string") }
    guard !text.isEmpty else { throw fault("must not be empty") }
    return text
  }

  func bool() throws(DefinitionFault) -> Bool {
    guard let value = json.bool else { throw fault("must be true or false") }
    return value
  }

  func integer(in range: ClosedRange<Int>) throws(DefinitionFault) -> Int {
    guard case .int(let number) = json, let value = Int(exactly: number), range.contains(value)
    else {
      throw fault("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    of type: Choice.Type
  ) throws(DefinitionFault) -> Choice where Choice.RawValue == String {
    guard let value = json.string.flatMap(Choice.init(rawValue:)) else {
      throw fault("must be one of \(Self.list(Choice.allCases.map(\.rawValue)))")
    }
    return value
  }

  func elements() throws(DefinitionFault) -> [DefinitionValue] {
    guard let elements = json.array else { throw fault("must be a list") }
    guard !elements.isEmpty else { throw fault("must not be empty") }
    return elements.enumerated().map {
      DefinitionValue(json: $0.element, pointer: "\(pointer)/\($0.offset)")
    }
  }

  /// The value as an object all of whose members are known.
  func object(_ known: [String]) throws(DefinitionFault) -> DefinitionObject {
    let object = try anyObject()
    for member in object.members where !known.contains(member.name) {
      throw member.value.fault("is unknown here; known are \(Self.list(known))")
    }
    return object
  }

  /// The value as an object with names of the author's own.
  func anyObject() throws(DefinitionFault) -> DefinitionObject {
    guard let object = json.object else { throw fault("must be an object") }
    var names: Set<String> = []
    var members: [DefinitionObject.Member] = []
    for (name, value) in object.members {
      let member = DefinitionValue(
        json: value, pointer: DefinitionFault.pointer(pointer, key: name))
      guard names.insert(name).inserted else { throw member.fault("occurs twice") }
      members.append(DefinitionObject.Member(name: name, value: member))
    }
    return DefinitionObject(members: members, pointer: pointer)
  }

  static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

/// An object of a definition.
struct DefinitionObject {
  struct Member {
    let name: String
    let value: DefinitionValue
  }

  let members: [Member]
  let pointer: String

  subscript(name: String) -> DefinitionValue? { members.first { $0.name == name }?.value }

  func required(_ name: String) throws(DefinitionFault) -> DefinitionValue {
    guard let value = self[name] else { throw missing(name) }
    return value
  }

  /// What the member is read as; nil when it is not there.
  func optional<Value>(
    _ name: String, read: (DefinitionValue) throws(DefinitionFault) -> Value
  ) throws(DefinitionFault) -> Value? {
    guard let value = self[name] else { return nil }
    return try read(value)
  }

  func bool(_ name: String, default value: Bool) throws(DefinitionFault) -> Bool {
    try self[name]?.bool() ?? value
  }

  /// The fault of a member that is not there, or of one that is there without need. `name` is a
  /// name of ours, or two with a slash between them.
  func missing(_ name: String, reason: String = "is missing") -> DefinitionFault {
    DefinitionFault(pointer: "\(pointer)/\(name)", sentence: reason)
  }
}
