package import HearthErrors
import HearthOperations
import HearthTokens
package import HearthWire

/// The people of a project: `GET /emulator/v1/projects/{project}/personas`.
enum ListPersonas: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(["personas": .object(try Personas(in: project).json)])
  }
}

/// Replaces all of them.
enum ReplacePersonas: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    if let unknown = request.body.keys.first(where: { $0 != "personas" }) {
      throw APIError(
        .invalidArgument,
        detail: "unknown member '\(unknown)'" + ["personas"].advice(on: unknown))
    }
    guard let people = request.object("personas") else {
      throw APIError(
        .invalidArgument, detail: "/personas must be an object, a member for each persona")
    }
    let personas = Personas(in: project)
    try personas.deleteAll()
    try personas.put(all: people)
    return .json(["personas": .object(try personas.json)])
  }
}

/// Puts one.
enum PutPersona: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let persona = try Persona(request.path["persona"] ?? "", record: request.body)
    try Personas(in: project).put(persona)
    return .json(persona.record)
  }
}

enum DeletePersona: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = request.path["persona"] ?? ""
    guard try Personas(in: project).delete(name) else {
      throw APIError(.notFound, detail: "no persona \(name)")
    }
    return .json([:])
  }
}

extension Personas {
  fileprivate var json: JSONObject {
    get throws(APIError) {
      JSONObject(members: try all().map { ($0.id, .object($0.record)) })
    }
  }

  package func put(all people: JSONObject) throws(APIError) {
    for (name, value) in people.members {
      guard let record = value.object else {
        throw APIError(.invalidArgument, detail: "/personas/\(name) must be an object")
      }
      try put(try Persona(name, record: record))
    }
  }
}

/// What is set for a provider of a project.
enum GetProviderSettings: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = try knownProvider(request)
    return .json(try ProviderSettingsStore(in: project).settings(of: name).record)
  }
}

/// Replaces it.
enum PutProviderSettings: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = try knownProvider(request)
    let settings = try ProviderSettings(request.body)
    guard name == "saml" || !settings.isOfSAMLAlone else {
      throw APIError(
        .invalidArgument, detail: "/fault and /signs are of SAML, and \(name) does not speak it")
    }
    guard settings.algorithm == nil || Personality.named(name)?.speaksOpenID == true else {
      throw APIError(
        .invalidArgument, detail: "/algorithm is that of ID tokens, and \(name) has none")
    }
    try ProviderSettingsStore(in: project).save(settings, of: name)
    return .json(settings.record)
  }
}

/// Gives a provider a new key. Tokens of the older ones stay good.
enum RotateProviderKeys: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let name = try knownProvider(request)
    let keys = try ProviderSettingsStore(in: project).keys(of: name)
    return .away { () async throws(APIError) -> Outcome.Resumption in
      let id: String
      do { id = try await keys.rotate().id } catch {
        throw APIError(.internalError, detail: "\(error)")
      }
      return { (_, _) throws(APIError) in .json(["kid": .string(id)]) }
    }
  }
}

private func knownProvider(_ request: WireRequest) throws(APIError) -> String {
  guard let name = request.path["provider"], Personality.named(name) != nil else {
    let names = Personality.all.map(\.name).joined(separator: ", ")
    throw APIError(.notFound, detail: "no such identity provider; there are \(names)")
  }
  return name
}
