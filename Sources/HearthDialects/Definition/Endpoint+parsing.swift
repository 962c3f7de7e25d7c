import HearthWire

extension Endpoint {
  /// The parts of the definition that its endpoints refer to.
  struct Surroundings {
    let clients: [ClientRule]
    let shapes: Reply.Shapes
    let languages: LanguageRule
    let replies: [Outcome: Reply]
    let messages: [String: MessageTemplate]
    let limits: RequestLimits
  }

  init(_ value: DefinitionValue, surroundings: Surroundings) throws(DefinitionFault) {
    let object = try value.object([
      "does", "method", "path", "clients", "fields", "replies", "sends", "hidesUnknown",
      "endsSessions",
    ])
    procedure = try object.required("does").choice(of: Procedure.self)
    method = try Self.method(object.required("method"))
    template = try Self.template(object.required("path"))
    clients = try Self.clients(object["clients"], known: surroundings.clients)
    fields = try Self.fields(object, procedure: procedure, method: method, template: template)
    sends = try Self.message(object, procedure: procedure, messages: surroundings.messages)
    let isRequest = procedure.needsAccount && procedure.message != nil
    hidesUnknown = try Self.flag("hidesUnknown", object: object, isAllowed: isRequest)
    endsSessions = try Self.flag(
      "endsSessions", object: object,
      isAllowed: [.confirmReset, .replacePassword].contains(procedure))
    let outcomes = Self.outcomes(
      procedure, fields: fields, limits: isRequest ? surroundings.limits.outcomes : [],
      hidesUnknown: hidesUnknown)
    replies = try Self.replies(object, outcomes: outcomes, surroundings: surroundings)
  }

  private static func method(_ value: DefinitionValue) throws(DefinitionFault) -> String {
    guard let method = value.json.string, methods.contains(method) else {
      throw value.fault("must be one of \(DefinitionValue.list(methods))")
    }
    return method
  }

  private static func template(_ value: DefinitionValue) throws(DefinitionFault) -> PathTemplate {
    let text = try value.string()
    guard text.hasPrefix("/") else { throw value.fault("must begin with \"/\"") }
    guard text.utf8.allSatisfy({ $0.isASCIIVisible && !"?#\\%".utf8.contains($0) }) else {
      throw value.fault("must be a plain path, without blanks, escapes or a query")
    }
    var names: Set<Substring> = []
    for segment in text.splitAtSlashes where segment.contains("{") || segment.contains("}") {
      let name = segment.dropFirst().dropLast()
      guard segment.first == "{", segment.last == "}", !name.isEmpty,
        name.utf8.allSatisfy(\.isASCIIAlphanumeric)
      else { throw value.fault("must have its variables between slashes, as in /reset/{token}") }
      guard names.insert(name).inserted else { throw value.fault("has {\(name)} twice") }
    }
    return PathTemplate(text)
  }

  private static func clients(
    _ value: DefinitionValue?, known: [ClientRule]
  ) throws(DefinitionFault) -> [String] {
    var names: [String] = []
    for element in try value?.elements() ?? [] {
      let name = try element.string()
      guard known.contains(where: { $0.name == name }) else {
        throw element.fault("is not a client of \"clients\"")
      }
      names.append(name)
    }
    return names
  }

  private static func fields(
    _ object: DefinitionObject, procedure: Procedure, method: String, template: PathTemplate
  ) throws(DefinitionFault) -> [Field: FieldSource] {
    let required = procedure.requiredFields
    let known = (required + procedure.optionalFields).map(\.rawValue)
    guard let value = object["fields"] else {
      if known.isEmpty || (required.isEmpty && !procedure.needsAccount) { return [:] }
      throw object.missing("fields")
    }
    let given = try value.object(known)
    var fields: [Field: FieldSource] = [:]
    for member in given.members {
      guard let field = Field(rawValue: member.name) else { continue }
      let source = try FieldSource(member.value)
      if source.place == .path, !template.variables.contains(source.name) {
        throw member.value.fault("names no variable of the path")
      }
      if source.place == .body, method == "GET" {
        throw member.value.fault("cannot be in the body of a GET request")
      }
      fields[field] = source
    }
    for field in required where fields[field] == nil { throw given.missing(field.rawValue) }
    if procedure.needsAccount, fields[.email] == nil, fields[.phone] == nil {
      throw given.missing("email", reason: "is missing, and so is \"phone\"")
    }
    return fields
  }

  private static func message(
    _ object: DefinitionObject, procedure: Procedure, messages: [String: MessageTemplate]
  ) throws(DefinitionFault) -> String? {
    guard let value = object["sends"] else {
      if procedure.needsAccount, procedure.message != nil { throw object.missing("sends") }
      return nil
    }
    guard let purpose = procedure.message else {
      throw value.fault("is not allowed; \"\(procedure.rawValue)\" sends no message")
    }
    let name = try value.string()
    guard let message = messages[name] else {
      throw value.fault("is not a message of \"messages\"")
    }
    guard message.purpose == purpose else {
      throw value.fault("must be a message for \"\(purpose.rawValue)\"")
    }
    return name
  }

  private static func flag(
    _ name: String, object: DefinitionObject, isAllowed: Bool
  ) throws(DefinitionFault) -> Bool {
    guard let value = object[name] else { return true }
    guard isAllowed else { throw value.fault("has no meaning for this endpoint") }
    return try value.bool()
  }

  private static func outcomes(
    _ procedure: Procedure, fields: [Field: FieldSource], limits: [Outcome],
    hidesUnknown: Bool
  ) -> [Outcome] {
    var outcomes = procedure.outcomes + limits
    if !fields.isEmpty { outcomes.append(.missingField) }
    if fields.values.contains(where: { $0.place == .body }) { outcomes.append(.malformedBody) }
    if fields[.confirmation] != nil { outcomes.append(.passwordMismatch) }
    if procedure.needsAccount, procedure.message != nil {
      if fields[.email] != nil { outcomes.append(.malformedEmail) }
      if fields[.phone] != nil { outcomes.append(.malformedPhone) }
      if !hidesUnknown { outcomes.append(.unknownAccount) }
    }
    return outcomes
  }

  private static func replies(
    _ object: DefinitionObject, outcomes: [Outcome], surroundings: Surroundings
  ) throws(DefinitionFault) -> [Outcome: Reply] {
    var own: [Outcome: Reply] = [:]
    let value = object["replies"]
    for member in try value?.object(Outcome.allCases.map(\.rawValue)).members ?? [] {
      guard let outcome = Outcome(rawValue: member.name) else { continue }
      guard outcomes.contains(where: { $0.chain.contains(outcome) }) else {
        throw member.value.fault("is never an outcome of this endpoint")
      }
      own[outcome] = try Reply(
        member.value, to: outcome, shapes: surroundings.shapes, languages: surroundings.languages)
    }
    var replies: [Outcome: Reply] = [:]
    for outcome in outcomes {
      // The endpoint's own replies come first, the general ones among them.
      let found =
        outcome.chain.lazy.compactMap { own[$0] }.first
        ?? outcome.chain.lazy.compactMap { surroundings.replies[$0] }.first
      guard let found else {
        let general = outcome.chain.last?.rawValue ?? outcome.rawValue
        throw object.missing(
          "replies/\(general)", reason: "is missing; the endpoint can end that way")
      }
      replies[outcome] = found
    }
    return replies
  }
}
