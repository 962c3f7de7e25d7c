package import HTTPTypes
import HearthErrors
import HearthTime
package import HearthWire

/// A call as people see it, without secrets.
extension RequestLog.Entry {
  package var target: String {
    Redaction.target(call.query.isEmpty ? String(call.path) : "\(call.path)?\(call.query)")
  }

  package var milliseconds: Double {
    let (seconds, attoseconds) = call.duration.components
    return Double(seconds) * 1000 + (Double(attoseconds) / 1e15 * 100).rounded() / 100
  }

  /// The body of the call; nil where it is not JSON.
  package var shownBody: JSON? { (try? JSON.parse(call.body)).map(Redaction.json) }

  /// The body of the answer; nil where it is not JSON.
  package var shownResponse: JSON? {
    (try? JSON.parse(call.response)).map {
      Redaction.response($0, of: call, body: try? JSON.parse(call.body))
    }
  }

  /// What a list shows of it, without the bodies. Events tell this much.
  package var summary: JSON {
    .object(summary(call.reason == nil ? nil : try? JSON.parse(call.body)))
  }

  private func summary(_ body: JSON?, isWhole: Bool = false) -> JSONObject {
    JSONObject([
      "id": .int(id),
      "time": .string(time.iso8601),
      "method": .string(call.method),
      "path": .string(target),
      "operation": .string(call.operation),
      "resource": call.resource.json,
      "collection": collection.json,
      "shortPath": shortPath.json,
      "caller": (call.caller?.name).json,
      "uid": (call.caller?.uid).json,
      "client": call.isConsole ? "console" : nil,
      "status": .int(Int64(call.status)),
      "milliseconds": .double(milliseconds),
      "error": (call.error?.name).json,
      "reason": call.reason.map { .string(Redaction.reason($0, of: call, body: body)) },
      "appCheck": call.appCheck.json,
      "fault": call.fault.json,
      "replayOf": call.replayOf.map(JSON.int),
      "canReplay": .bool(canReplay),
      "rule": rule(isWhole: isWhole),
      "index": index,
    ])
  }

  /// With everything that is known, or in the short form of lists.
  package func json(isWhole: Bool) -> JSON {
    let body = try? JSON.parse(call.body)
    var object = summary(body, isWhole: isWhole)
    object["body"] = body.map(Redaction.json)
    object["bodyTooLong"] = call.isBodyLeftOut ? true : nil
    object["response"] = shownResponse
    object["responseTooLong"] = call.isResponseLeftOut ? true : nil
    if isWhole {
      let headers = call.headers.map { ($0.name.rawName, Redaction.header($0)) }
      object.append(
        "headers", value: .object(JSONObject(members: headers.map { ($0.0, .string($0.1)) })))
    }
    return .object(object)
  }

  package var canReplay: Bool { call.isRepeatable && !call.isBodyLeftOut }

  /// The document or collection that a call is about.
  private var shortPath: String? {
    let whole = call.resource.map { $0[...] } ?? call.path
    guard let range = whole.firstRange(of: "/documents/") else { return nil }
    let rest = whole[range.upperBound...]
    return call.resource == nil ? PercentCoding.decode(rest.prefix { $0 != ":" }) : String(rest)
  }

  /// The collection of a query over REST, whose path has only its parent.
  private var collection: String? {
    guard call.operation.hasSuffix("Query"), let body = try? JSON.parse(call.body) else {
      return nil
    }
    let query = body["structuredAggregationQuery"]?["structuredQuery"] ?? body["structuredQuery"]
    return query?["from"]?.array?.first?["collectionId"]?.string
  }

  private var explanation: JSON? { call.explanation.flatMap { try? JSON.parse($0) } }

  /// The query that missed an index, why, and the index.
  private var index: JSON? {
    guard let explanation, explanation["missing"] != nil, let found = explanation.object else {
      return nil
    }
    return .object(JSONObject(members: [("status", "missing")] + found.members))
  }

  /// The first `allow` that refused; with how each expression came out where all is wanted.
  private func rule(isWhole: Bool) -> JSON? {
    guard let json = explanation, json["missing"] == nil else { return nil }
    let first = json["allows"]?.array?.first
    var object = JSONObject([
      "file": first?["file"], "line": first?["line"], "column": first?["column"],
      "source": first?["source"], "because": first?["because"],
    ])
    // Where there are no rules, this says so and what to do.
    if let message = json["message"] { object.append("message", value: message) }
    if isWhole {
      object.append("allows", value: json["allows"] ?? [])
      object.append("reads", value: json["reads"] ?? [])
    }
    return .object(object)
  }
}

extension Redaction {
  /// The value of a header.
  package static func header(_ field: HTTPField) -> String {
    let name = field.name.canonicalName
    let isSecret =
      ["authorization", "cookie", "proxy-authorization"].contains(name)
      || name.hasSuffix("token") || name.hasSuffix("key")
    return isSecret && field.value.lowercased() != "bearer owner" ? "(hidden)" : field.value
  }
}
