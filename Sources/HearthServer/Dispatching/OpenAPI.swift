import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// The API as an OpenAPI 3 document, made of the route table and the messages.
enum OpenAPI {
  static func document(_ routes: [Route], baseURL: String) -> JSON {
    var paths = JSONObject()
    for route in routes where !route.isLegacyAlias {
      let path = route.template.description
      var item = paths[path]?.object ?? JSONObject()
      item[route.method.lowercased()] = operation(route)
      paths[path] = .object(item)
    }
    return .members([
      "openapi": "3.0.3",
      "info": .members(["title": "Hearth", "version": "1"]),
      "servers": [
        .members([
          "url": "{EMULATOR}",
          "variables": .members(["EMULATOR": .members(["default": .string(baseURL)])]),
        ])
      ],
      "paths": .object(paths),
      "components": .members([
        "schemas": .object(schemas()),
        "securitySchemes": .members([
          "Oauth2": .members(["type": "http", "scheme": "bearer"]),
          "apiKeyQuery": .members(["type": "apiKey", "name": "key", "in": "query"]),
          "apiKeyHeader": .members(["type": "apiKey", "name": "x-goog-api-key", "in": "header"]),
        ]),
      ]),
    ])
  }

  private static func operation(_ route: Route) -> JSON {
    let inPath = route.template.variables.map {
      JSON.members([
        "name": .string($0), "in": "path", "required": true, "schema": .members(["type": "string"]),
      ])
    }
    let inQuery = route.query.map {
      JSON.members(["name": .string($0.name), "in": "query", "schema": schema($0.kind)])
    }
    return .members([
      "operationId": .string(route.id),
      "parameters": .array(inPath + inQuery),
      "requestBody": body(route.body),
      "responses": .members(["200": .members(["description": "OK"])]),
      "security": security(route.credential),
    ])
  }

  private static func schema(_ kind: Route.QueryParameter.Kind) -> JSON {
    switch kind {
    case .string: ["type": "string"]
    case .integer: ["type": "integer"]
    case .boolean: ["type": "boolean"]
    case .enumeration(let names): .members(["type": "string", "enum": .strings(names)])
    }
  }

  private static func body(_ body: Route.Body) -> JSON? {
    let reference: (String?) -> JSON = { message in
      guard let message else { return .members(["schema": .members(["type": "object"])]) }
      return .members(["schema": .members(["$ref": .string("#/components/schemas/\(message)")])])
    }
    let form = "application/x-www-form-urlencoded"
    switch body {
    case .none: return nil
    case .verbatim:
      return .members(["content": .members(["application/json": reference(nil)])])
    case .json(let message):
      return .members(["content": .members(["application/json": reference(message)])])
    case .jsonOrForm(let message):
      var content = JSONObject(["application/json": reference(message)])
      content.append(form, value: reference(message))
      return .members(["content": .object(content)])
    case .form:
      var content = JSONObject()
      content.append(form, value: reference(nil))
      return .members(["content": .object(content)])
    case .file, .credentials: return .members(["content": .members(["*/*": [:]])])
    }
  }

  private static func security(_ credential: Route.Credential) -> JSON {
    let key: [JSON] = [.members(["apiKeyQuery": []]), .members(["apiKeyHeader": []])]
    return switch credential {
    case .open, .control: []
    case .keyOnly: .array(key)
    case .bearer: .array([.members(["Oauth2": []])])
    case .bearerOrKey: .array([.members(["Oauth2": []])] + key)
    }
  }

  private static func schemas() -> JSONObject {
    var schemas = JSONObject()
    let surface = try? JSON.parse(SurfaceDescription.schemas)
    for (name, fields) in surface?.object?.members ?? [] {
      schemas.append(name, value: message(fields))
    }
    return schemas
  }

  private static func message(_ fields: JSON) -> JSON {
    var properties = JSONObject()
    for (name, kind) in fields.object?.members ?? [] { properties.append(name, value: field(kind)) }
    return .members(["type": "object", "properties": .object(properties)])
  }

  private static func field(_ kind: JSON) -> JSON {
    switch kind {
    case .array(let elements):
      return .members(["type": "array", "items": elements.first.map(field) ?? [:]])
    case .object(let object):
      if let names = object["enum"] { return .members(["type": "string", "enum": names]) }
      if let values = object["map"] {
        return .members(["type": "object", "additionalProperties": field(values)])
      }
      return message(kind)
    case .string(let text):
      let parts = text.split(separator: ":").map(String.init)
      let types = ["string", "boolean", "integer", "number", "object"]
      guard let type = parts.first, types.contains(type) else {
        return .members(["$ref": .string("#/components/schemas/\(text)")])
      }
      return .members(["type": .string(type), "format": parts.dropFirst().first.json])
    case .null, .bool, .int, .double: return [:]
    }
  }
}
