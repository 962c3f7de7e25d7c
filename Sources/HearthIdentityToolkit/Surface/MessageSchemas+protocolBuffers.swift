package import HearthErrors
package import HearthWire

/// Bodies as production reads them: by the rules of protocol buffers in JSON.
extension MessageSchemas {
  /// The body as the operation will see it. `null` counts as not given, text and numbers stand for
  /// each other, and one value for a list of one.
  ///
  /// - Throws: what is wrong with all fields, each with its path.
  package func acceptAsProtocolBuffer(_ body: JSON, as message: String?) throws(APIError)
    -> JSONObject
  {
    guard case .object(let object) = body else {
      throw .invalidFields([
        ("", "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
      ])
    }
    guard let message, messages[message] != nil else { return try accept(body, as: message) }
    var reader = ProtocolBufferReader(schemas: self, isAdministrative: message.contains("AdminV2"))
    let accepted = reader.message(object, name: message, at: Self.bodyField(of: message))
    guard reader.violations.isEmpty else { throw .invalidFields(reader.violations) }
    return accepted
  }

  /// The field that holds the body, where a call takes a resource and not a request.
  private static func bodyField(of message: String) -> String {
    let prefix = "GoogleCloudIdentitytoolkitAdminV2"
    guard message.hasPrefix(prefix), !message.hasSuffix("Request") else { return "" }
    return SnakeCase.convert(String(message.dropFirst(prefix.count)))
  }
}

/// Reads one body, and collects what is wrong with it.
private struct ProtocolBufferReader {
  let schemas: MessageSchemas
  /// The messages of administrators are known completely. Others have fields that the description
  /// leaves out, so there a name is unknown when no message has it.
  let isAdministrative: Bool
  var violations: [(field: String, description: String)] = []

  mutating func message(_ object: JSONObject, name: String, at path: String) -> JSONObject {
    guard let fields = schemas.messages[name] else { return object }
    return self.fields(object, fields: fields, at: path)
  }

  private mutating func fields(
    _ object: JSONObject, fields: [String: MessageSchemas.Kind], at path: String
  ) -> JSONObject {
    var accepted = JSONObject()
    for (rawKey, value) in object.members {
      let key = CamelCase.convert(rawKey)
      guard let kind = fields[key] else {
        if isAdministrative || !schemas.allFields.contains(key) { refuseName(rawKey, at: path) }
        continue
      }
      let place = ProtocolBufferField(key, below: path)
      if let value = self.value(value, kind: kind, at: place) { accepted[key] = value }
    }
    return accepted
  }

  /// Nil where the value is refused, or counts as not given.
  private mutating func value(
    _ value: JSON, kind: MessageSchemas.Kind, at place: ProtocolBufferField
  ) -> JSON? {
    if value.isNull { return nil }
    switch kind {
    case .list(let element):
      let elements = value.array ?? [value]
      return .array(
        elements.enumerated().compactMap { index, item in
          self.value(item, kind: element, at: value.array == nil ? place : place.element(index))
        })
    case .message(let name):
      guard let object = value.object else {
        return refuse(value, type: place.messageType(name), place: place)
      }
      return .object(message(object, name: name, at: place.path))
    case .inline(let fields):
      guard let object = value.object else { return refuse(value, type: "Message", place: place) }
      return .object(self.fields(object, fields: fields, at: place.path))
    case .map(let element):
      guard let object = value.object else { return refuse(value, type: "Map", place: place) }
      var accepted = JSONObject()
      for (key, item) in object.members {
        if let item = self.value(item, kind: element, at: place.entry(key)) {
          accepted.append(key, value: item)
        }
      }
      return .object(accepted)
    case .object: return value.object == nil ? refuse(value, type: "Message", place: place) : value
    case .string, .int64, .boolean, .integer, .number, .enumeration:
      return scalar(value, kind: kind, at: place)
    }
  }

  private mutating func scalar(
    _ value: JSON, kind: MessageSchemas.Kind, at place: ProtocolBufferField
  ) -> JSON? {
    if value.array != nil {
      refuseName(
        place.name, at: place.parent, reason: "Proto field is not repeating, cannot start list.")
      return nil
    }
    if value.object != nil {
      refuseName(place.name, at: place.parent, reason: "Starting an object on a scalar field.")
      return nil
    }
    switch kind {
    case .enumeration(let names):
      return MessageSchemas.name(value, among: names).map(JSON.string)
        ?? refuse(value, type: place.enumType, place: place)
    case .boolean:
      return value.asBoolean.map(JSON.bool) ?? refuse(value, type: "TYPE_BOOL", place: place)
    case .integer:
      return value.integer.map(JSON.int) ?? refuse(value, type: "TYPE_INT32", place: place)
    case .int64:
      return value.integer.map { .string(String($0)) }
        ?? refuse(value, type: "TYPE_INT64", place: place)
    case .number:
      if let number = value.string { return Double(number).map(JSON.double) }
      return value
    default:
      let text = value.asText
      if place.isBytes, Base64.decode(text) == nil {
        return refuse(
          value, type: "TYPE_BYTES", place: place, reason: "Base64 decoding failed for ")
      }
      return .string(text)
    }
  }

  private mutating func refuse(
    _ value: JSON, type: String, place: ProtocolBufferField, reason: String = ""
  ) -> JSON? {
    violations.append(
      (place.path, "Invalid value at '\(place.path)' (\(type)), \(reason)\(value.text)"))
    return nil
  }

  private mutating func refuseName(
    _ name: String, at path: String, reason: String = "Cannot find field."
  ) {
    let place = path.isEmpty ? "" : " at '\(path)'"
    violations.append(
      (
        path,
        "Invalid JSON payload received. Unknown name \(JSON.string(name).text)\(place): \(reason)"
      ))
  }
}

/// Where a field is, in the names of protocol buffers.
private struct ProtocolBufferField {
  let name: String
  let parent: String
  private let key: String
  private var suffix = ""

  init(_ key: String, below parent: String) {
    self.key = key
    self.parent = parent
    name = Self.names[key] ?? SnakeCase.convert(key)
  }

  var path: String { (parent.isEmpty ? "" : parent + ".") + name + suffix }

  func element(_ index: Int) -> ProtocolBufferField { with("[\(index)]") }
  func entry(_ key: String) -> ProtocolBufferField { with("[\(JSON.string(key).text)]") }

  private func with(_ suffix: String) -> ProtocolBufferField {
    var place = self
    place.suffix += suffix
    return place
  }

  /// Fields whose name in JSON is not their own.
  private static let names = ["requestType": "req_type", "passwordHash": "password"]

  /// Whether the text stands for bytes, in base64.
  var isBytes: Bool { ["passwordHash", "salt", "signerKey", "saltSeparator"].contains(key) }

  private static let package = "type.googleapis.com/google.cloud.identitytoolkit."

  /// The types of fields that take one of several names; the description does not have them.
  private static let enumTypes = [
    "requestType": "v1.OobReqType",
    "deleteAttribute": "v1.SetAccountInfoRequest.UserAttributeName",
    "sortBy": "v1.QueryUserInfoRequest.SortByField",
    "order": "v1.QueryUserInfoRequest.Order",
    "hashType": "v1.Argon2Parameters.HashType",
    "passwordHashOrder": "v1.UploadAccountRequest.PasswordHashOrder",
    "clientType": "v1.ClientType",
    "recaptchaVersion": "v1.RecaptchaVersion",
    "state": "admin.v2.MultiFactorAuthConfig.State",
    "enabledProviders": "admin.v2.MultiFactorAuthConfig.Provider",
    "domain": "admin.v2.MobileLinksConfig.Domain",
    "passwordPolicyEnforcementState":
      "admin.v2.PasswordPolicyConfig.PasswordPolicyEnforcementState",
  ]

  var enumType: String { Self.enumTypes[key].map { Self.package + $0 } ?? "Enum" }

  func messageType(_ name: String) -> String {
    for (prefix, room) in [
      ("GoogleCloudIdentitytoolkitAdminV2", "admin.v2."), ("GoogleCloudIdentitytoolkitV2", "v2."),
      ("GoogleCloudIdentitytoolkitV1", "v1."),
    ] where name.hasPrefix(prefix) {
      return Self.package + room + name.dropFirst(prefix.count)
    }
    return name
  }
}

extension JSON {
  fileprivate var asText: String {
    switch self {
    case .string(let text): text
    case .double(let number): JavaScriptNumber.text(number)
    default: text
    }
  }

  /// Numbers and words count too.
  fileprivate var asBoolean: Bool? {
    switch self {
    case .bool(let value): return value
    case .int(let value): return value == 0 ? false : value == 1 ? true : nil
    case .string(let text):
      let word = text.lowercased()
      if ["true", "t", "yes", "y", "1"].contains(word) { return true }
      return ["false", "f", "no", "n", "0"].contains(word) ? false : nil
    case .null, .double, .array, .object: return nil
    }
  }
}

/// Lower-case words with underscores between them, as protocol buffers name fields.
enum SnakeCase {
  static func convert(_ key: String) -> String {
    var name = ""
    var previousIsLower = false
    for character in key {
      if character.isUppercase, previousIsLower { name.append("_") }
      name += character.lowercased()
      previousIsLower = !character.isUppercase
    }
    return name
  }
}
