import HTTPTypes
package import HearthErrors
package import HearthOperations
import HearthPages
package import HearthWire

/// How an API writes its errors.
package enum ErrorEnvelope: Sendable {
  /// With `errors`, over several lines. Everything but Firestore.
  case identityToolkit
  /// The canonical status alone, on one line.
  case firestore
  /// The same, as the only element of an array.
  case firestoreStream
  /// As production writes those of Identity Toolkit and Secure Token.
  case production(listsErrors: Bool)
  /// RFC 6749: a word and a description.
  case oauth
  /// With the code of Cloud Messaging in the details.
  case messaging
  /// A word, as the older topic API writes it.
  case instanceID
  /// The reason alone, as metadata servers write it.
  case text
}

/// Turns answers and refusals into bytes; the only place that does.
package enum ReplyWriter {
  /// The answer, shaped by Google's standard parameters where the operation takes them.
  package static func reply(_ answer: Answer, shapedBy query: FormFields?) -> OutgoingReply {
    var reply: OutgoingReply
    switch answer.body {
    case .json(var object):
      if let selector = query?["fields"].nonEmpty.flatMap(FieldSelector.init) {
        object = selector.select(object)
      }
      reply = json(.object(object))
      if query?["prettyPrint"] == "true" { reply.body = JSON.object(object).prettyBytes }
    case .prettyJSON(let object):
      reply = OutgoingReply(status: answer.status, body: JSON.object(object).prettyBytes)
      reply.headers[.contentType] = "application/json; charset=utf-8"
    case .text(let text, let contentType): reply = self.text(text, contentType: contentType)
    case .bytes(let bytes, let contentType):
      reply = OutgoingReply(status: answer.status, body: bytes)
      reply.headers[.contentType] = contentType
    case .empty: reply = OutgoingReply(status: answer.status)
    }
    reply.status = answer.status
    for header in answer.headers {
      if let name = HTTPField.Name(header.name) { reply.headers[name] = header.value }
    }
    return reply
  }

  /// One line of JSON, as most operations answer.
  package static func json(_ json: JSON) -> OutgoingReply {
    var reply = OutgoingReply(status: 200, body: json.bytes)
    reply.headers[.contentType] = "application/json"
    return reply
  }

  package static func text(_ text: String, contentType: String) -> OutgoingReply {
    var reply = OutgoingReply(status: 200, body: Array(text.utf8))
    reply.headers[.contentType] = contentType
    if contentType == HTML.contentType {
      // For a page that brings no policy of its own.
      reply.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
      reply.headers[.xContentTypeOptions] = "nosniff"
    }
    return reply
  }

  /// Clients may keep keys, but not so long that a test does not notice a rotation.
  package static func cached(_ json: JSON) -> OutgoingReply {
    var reply = self.json(json)
    reply.headers[.cacheControl] = "public, max-age=3600"
    return reply
  }

  /// A refusal in the envelope of the API that was called.
  package static func refusal(
    _ error: APIError, as envelope: ErrorEnvelope = .identityToolkit
  ) -> OutgoingReply {
    var reply = OutgoingReply(status: error.httpStatus)
    reply.headers[.contentType] = "application/json; charset=utf-8"
    switch envelope {
    case .identityToolkit: reply.body = error.envelope.prettyBytes
    case .firestore: reply.body = error.firestoreEnvelope.bytes
    case .messaging: reply.body = error.messagingEnvelope.bytes
    case .instanceID: reply.body = error.instanceIDEnvelope.bytes
    case .firestoreStream: reply.body = JSON.array([error.firestoreEnvelope]).bytes
    case .production(let listsErrors):
      reply.body = error.productionEnvelope(listsErrors: listsErrors).prettyBytes
    case .oauth:
      reply.body =
        JSON.members([
          "error": "invalid_request", "error_description": .string(error.message),
        ]).bytes
    case .text:
      reply.body = Array((error.message + "\n").utf8)
      reply.headers[.contentType] = "application/text"
    }
    return reply
  }

  /// What production answers where it has no such method: a page.
  package static func unknownMethod() -> OutgoingReply {
    var reply = text(
      "<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)</title>\n"
        + "<p><b>404.</b> The requested URL was not found on this server.\n",
      contentType: HTML.contentType)
    reply.status = 404
    return reply
  }

  /// The official emulator answers a bare `message` here, which stays beside the envelope.
  package static func wrongMethod(_ call: IncomingCall, allowed: [String]) -> OutgoingReply {
    let target = call.query.isEmpty ? String(call.path) : "\(call.path)?\(call.query)"
    let message = "Method \(call.method) not allowed for \(target)"
    var reply = refusal(APIError(.methodNotAllowed, message: message))
    var body = JSONObject(["message": .string(message)])
    body.merge(APIError(.methodNotAllowed, message: message).envelope.object ?? JSONObject())
    reply.body = JSON.object(body).prettyBytes
    reply.headers[.contentType] = "application/json"
    reply.headers[.allow] = allowed.joined(separator: ",")
    return reply
  }
}
