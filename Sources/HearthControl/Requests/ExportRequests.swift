import HTTPTypes
import HearthErrors
import HearthObservation
import HearthOperations
import HearthTime
import HearthTransport
import HearthWire

/// The request log as an HTTP Archive (HAR 1.2), which browsers and proxies read. Secrets are hidden.
enum ExportRequests: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: RequestControl
  ) async throws -> OutgoingReply {
    let filter = try RequestFilter(request.wire.query)
    let entries = filter.entries(of: control.log, request.project)
    let base = control.hosts.baseURL(request.call)
    let log = JSON.members([
      "version": "1.2",
      "creator": .members(["name": "Hearth", "version": .string(HearthVersion.text)]),
      "entries": .array(entries.map { $0.archived(base) }),
    ])
    var reply = ReplyWriter.json(.members(["log": log]))
    reply.headers[.contentDisposition] = "attachment; filename=\"\(request.project).har\""
    return reply
  }
}

extension RequestLog.Entry {
  fileprivate func archived(_ base: String) -> JSON {
    .members([
      "startedDateTime": .string(time.iso8601),
      "time": .double(milliseconds),
      "request": request(base),
      "response": response,
      "cache": [:],
      "timings": .members(["send": 0, "wait": .double(milliseconds), "receive": 0]),
      "comment": .string(comment),
    ])
  }

  private var comment: String {
    [call.operation, call.caller?.name, call.error?.name, call.fault.map { "fault \($0)" }]
      .compactMap(\.self).joined(separator: ", ")
  }

  private func request(_ base: String) -> JSON {
    let (target, body) = (target, shownBody)
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    let query = FormFields(parsing: target[mark...].dropFirst()).pairs.map { pair in
      JSON.members(["name": .string(pair.name), "value": .string(pair.value)])
    }
    let headers = call.headers.map { field in
      JSON.members([
        "name": .string(field.name.rawName), "value": .string(Redaction.header(field)),
      ])
    }
    return .members([
      "method": .string(call.method), "url": .string(base + target), "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": .array(headers), "queryString": .array(query),
      "headersSize": -1, "bodySize": .int(Int64(call.body.count)),
      "postData": body.map { Self.content($0) },
    ])
  }

  private var response: JSON {
    let body = shownResponse
    var content = Self.content(body)
    if case .object(var object) = content {
      object["size"] = .int(Int64(call.response.count))
      content = .object(object)
    }
    return .members([
      "status": .int(Int64(call.status)), "statusText": "", "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": [], "content": content, "redirectURL": "", "headersSize": -1,
      "bodySize": .int(Int64(call.response.count)),
    ])
  }

  private static func content(_ body: JSON?) -> JSON {
    .members(["mimeType": "application/json", "text": .string(body?.text ?? "")])
  }
}
