import HearthWire

/// A kind of client, told by a header of its requests.
struct ClientRule: Sendable {
  enum Test: String, CaseIterable { case contains, beginsWith, equals }

  struct Condition: Sendable {
    let header: String
    let test: Test
    let text: String
  }

  let name: String
  /// Nil for the kind that every other client is of.
  let condition: Condition?

  init(_ value: DefinitionValue) throws(DefinitionFault) {
    let object = try value.object(["name", "header"] + Test.allCases.map(\.rawValue))
    let name = try object.required("name")
    self.name = try name.string()
    guard let header = object["header"] else {
      for test in Test.allCases where object[test.rawValue] != nil {
        throw object.missing("header", reason: "is missing; \"\(test.rawValue)\" needs it")
      }
      condition = nil
      return
    }
    let headerName = try header.string()
    guard headerName.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }) else {
      throw header.fault("must be the name of a header")
    }
    let tests = Test.allCases.filter { object[$0.rawValue] != nil }
    guard tests.count == 1, let test = tests.first, let text = object[test.rawValue] else {
      throw value.fault("needs one of \(DefinitionValue.list(Test.allCases.map(\.rawValue)))")
    }
    condition = Condition(header: headerName, test: test, text: try text.string().lowercased())
  }

  /// The kinds of a definition, in the order in which they are tried.
  static func all(_ value: DefinitionValue) throws(DefinitionFault) -> [ClientRule] {
    var rules: [ClientRule] = []
    for element in try value.elements() {
      let rule = try ClientRule(element)
      guard !rules.contains(where: { $0.name == rule.name }) else {
        throw element.fault("has the name of an earlier client")
      }
      guard rules.last.map({ $0.condition != nil }) ?? true else {
        throw element.fault("is never tried; the client before has no header and takes all")
      }
      rules.append(rule)
    }
    guard let last = rules.last, last.condition == nil else {
      throw value.fault("must end with a client without \"header\", for all others")
    }
    return rules
  }

  /// Letters count alike in either case, as in product names of a User-Agent.
  func matches(_ request: DialectRequest) -> Bool {
    guard let condition else { return true }
    guard let value = request.header(condition.header)?.lowercased() else { return false }
    return switch condition.test {
    case .contains: value.contains(condition.text)
    case .beginsWith: value.hasPrefix(condition.text)
    case .equals: value == condition.text
    }
  }
}
