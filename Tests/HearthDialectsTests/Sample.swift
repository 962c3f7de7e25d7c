import HearthDialects
import HearthWire

/// A definition that uses every part, and edits of it.
enum Sample {
  static let json: JSON = (try? JSON.parse(text)) ?? .null

  static func definition(_ edits: [Edit] = []) throws(DefinitionFault) -> DialectDefinition {
    try DialectDefinition(edits.reduce(json) { $1.applied(to: $0) })
  }

  static func engine(_ edits: [Edit] = []) throws(DefinitionFault) -> DialectEngine {
    DialectEngine(try definition(edits))
  }

  private static let text = """
    {
      "name": "sample", "title": "Sample", "serve": { "port": 4100, "prefix": "/auth" },
      "project": "demo-sample", "tenant": "blue",
      "languages": { "default": "en", "others": ["de", "pt-BR"], "from": "header:Accept-Language" },
      "clients": [
        { "name": "web", "header": "X-Platform", "equals": "web" },
        { "name": "phone", "header": "User-Agent", "beginsWith": "Phone/" },
        { "name": "rest" }
      ],
      "token": { "kind": "digits", "length": 6, "lifetime": "10m", "attempts": 3 },
      "limits": { "perAccountPerHour": 3, "perAddressPerHour": 5, "secondsBetween": 30 },
      "password": {
        "minLength": 6, "maxLength": 20, "needs": ["digit", "symbol"],
        "sentences": { "tooShort": { "en": "Too short.", "de": "Zu kurz." } }
      },
      "newPassword": { "kind": "characters", "length": 16, "alphabet": "abcdef0123456789!?#%" },
      "sessions": { "kind": "uuid", "lifetime": "1h", "refreshLifetime": "2d", "from": "header:X-Session" },
      "messages": {
        "sms": { "for": "token", "by": "sms", "text": { "en": "{app} code {token}", "de": "{app}-Code {token}" } },
        "mail": {
          "for": "token", "subject": "Code for {email}", "text": "{link}", "html": "<a href=\\"{link}\\">{displayName}</a>",
          "link": { "web": "https://example.com/{language}/reset?code={token}&email={email}", "*": "sample://reset/{token}" }
        },
        "secret": { "for": "newPassword", "subject": "New", "text": "{newPassword}" },
        "notice": { "for": "notice", "subject": "Changed", "text": "Changed for {email}" }
      },
      "shapes": { "success": { "ok": true, "text": "{message}" }, "error": { "ok": false, "text": "{message}" } },
      "replies": {
        "badRequest": { "status": 400, "message": { "en": "Bad request", "de": "Falsche Anfrage" } },
        "missingField": { "status": 422, "message": "{field}" },
        "tooManyRequests": { "status": 429, "body": { "wait": "{retryAfter}" } },
        "invalidToken": { "status": 403, "message": "No" },
        "expiredToken": { "status": 410, "message": "Late" },
        "exhaustedToken": { "status": 423, "message": "Dead" },
        "weakPassword": { "status": 400, "message": "{problem}" },
        "wrongCredentials": { "status": 401, "message": "Wrong" },
        "unauthorized": { "status": 401, "message": "Who?", "headers": { "WWW-Authenticate": "Session realm={app}" } },
        "notFound": { "status": 404, "message": "Nothing" }
      },
      "endpoints": [
        { "does": "requestReset", "method": "POST", "path": "/forgot", "fields": { "phone": "phone" }, "sends": "sms",
          "replies": { "accepted": { "status": 202, "message": "Sent to {phone}" } } },
        { "does": "requestReset", "method": "POST", "path": "/forgot-mail", "fields": { "email": "user.email" },
          "sends": "mail", "hidesUnknown": false,
          "replies": { "accepted": { "status": 204 }, "unknownAccount": { "status": 404, "message": "{email} is unknown" } } },
        { "does": "replacePassword", "clients": ["phone"], "method": "POST", "path": "/replace",
          "fields": { "email": "email" }, "sends": "secret", "endsSessions": false,
          "replies": { "accepted": { "status": 200, "body": [] } } },
        { "does": "verifyToken", "method": "GET", "path": "/tokens/{code}",
          "fields": { "token": "path:code", "phone": "query:phone" },
          "replies": { "valid": { "status": 200, "body": { "in": "{expiresIn}", "at": "{expiresAtUnix}", "photo": "{photoUrl?}", "name": "{displayName}", "literal": "{{x}}", "text": "in {expiresIn} s" } } } },
        { "does": "confirmReset", "method": "PUT", "path": "/password",
          "fields": { "token": "code", "newPassword": "password", "confirmation": "again", "phone": "phone" },
          "sends": "notice", "replies": { "reset": { "status": 200, "body": { "id": "{userId}" } } } },
        { "does": "logIn", "method": "POST", "path": "/login", "fields": { "email": "email", "phone": "phone", "password": "password" },
          "replies": {
            "signedIn": { "status": 200, "body": { "session": "{session}", "refresh": "{refresh}" } },
            "disabledAccount": { "status": 403, "message": "Disabled" } } },
        { "does": "refreshSession", "method": "POST", "path": "/refresh", "fields": { "refresh": "token" },
          "replies": { "refreshed": { "status": 200, "body": { "session": "{session}", "refresh": "{refresh}" } } } },
        { "does": "profile", "method": "GET", "path": "/users/me",
          "replies": { "found": { "status": 200, "body": { "id": "{userId}", "since": "{createdAt}" } } } },
        { "does": "logOut", "method": "DELETE", "path": "/session", "replies": { "signedOut": { "status": 204 } } }
      ]
    }
    """
}

/// Sets the value at a JSON pointer, or removes it.
struct Edit: Sendable {
  let pointer: String
  let value: JSON?

  init(_ pointer: String, value: JSON?) {
    self.pointer = pointer
    self.value = value
  }

  func applied(to json: JSON) -> JSON {
    let keys = pointer.split(separator: "/").map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    return Self.edit(json, keys: keys[...], value: value) ?? .null
  }

  private static func edit(_ json: JSON, keys: ArraySlice<String>, value: JSON?) -> JSON? {
    guard let key = keys.first else { return value }
    switch json {
    case .object(var object):
      object[key] = edit(object[key] ?? .null, keys: keys.dropFirst(), value: value)
      return .object(object)
    case .array(var elements):
      guard let index = Int(key) else { return json }
      guard index < elements.count else { return .array(elements + (value.map { [$0] } ?? [])) }
      let edited = edit(elements[index], keys: keys.dropFirst(), value: value)
      elements.replaceSubrange(index...index, with: edited.map { [$0] } ?? [])
      return .array(elements)
    case .null, .bool, .int, .double, .string: return json
    }
  }
}
