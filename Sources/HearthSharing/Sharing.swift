import HTTPTypes
package import HearthErrors
package import HearthOperations
package import HearthTransport
import HearthWire
package import Logging

/// What a shared server (`--require-token`) asks of a call over HTTP, before anything else is looked
/// at. A server without that flag has none of it.
///
/// Tokens come as `Authorization: Bearer TOKEN`. A caller that cannot set this header has a cookie
/// of one of our pages, or a prefix of the path. Both become the header here, and later code reads
/// only the header.
package struct Sharing: Sendable {
  package let projects: SharedProjects
  private let defaultProject: String
  package let logger: Logger

  package init(_ projects: SharedProjects, defaultProject: String, logger: Logger) {
    self.projects = projects
    self.defaultProject = defaultProject
    self.logger = logger
  }

  /// For SDKs that always send `Bearer owner`: the address that they get may end with this and a
  /// token.
  private static let prefix = "/with-token/"

  /// The call without the prefix that has a token.
  package func unwrapped(_ call: IncomingCall) -> IncomingCall {
    guard call.path.hasPrefix(Self.prefix) else { return call }
    let rest = call.path.dropFirst(Self.prefix.count)
    let token = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(token.count)
    guard !token.isEmpty else { return call }
    return call.at(path.isEmpty ? "/" : String(path)).authorized("Bearer \(token)")
  }

  /// The call with the token of the cookie, if one of our pages makes it without another token.
  package func settled(_ call: IncomingCall, for route: Route) -> IncomingCall {
    let bearer = call.authorization
    guard bearer == nil ? route.isControl : bearer?.lowercased() == "bearer owner",
      let cookies = call.headers[.cookie], call.isOfOwnPage,
      let token = SignInPage.token(inCookies: cookies)
    else { return call }
    return call.authorized("Bearer \(token)")
  }

  /// Says who makes a call that needs a token; nil for calls of apps, whose project is known later.
  ///
  /// - Throws: UNAUTHENTICATED or PERMISSION_DENIED.
  package func admit(
    _ call: IncomingCall, route: Route, variables: [String: String]
  ) throws(APIError) -> Visitor? {
    guard route.isControl else { return nil }
    try checkDatabases(call, route: route, variables: variables)
    return try projects.admit(
      call.authorization, to: destination(of: call, route: route, variables: variables))
  }

  /// A database that a call names besides the project of its path must be of that project.
  private func checkDatabases(
    _ call: IncomingCall, route: Route, variables: [String: String]
  ) throws(APIError) {
    guard case .pathAndDatabase = route.project else { return }
    let names = [
      FormFields(parsing: call.query)["database"],
      (try? JSON.parse(call.body))?["database"]?.string,
    ].compactMap(\.self)
    let isOther = names.contains { name in
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count < 2 || String(parts[1]) != variables["targetProjectId"]
    }
    guard !isOther else {
      throw APIError(.permissionDenied, message: "The database is of another project.")
    }
  }

  /// The project that a call wants to reach; nil where it names none.
  package func project(
    of call: IncomingCall, route: Route, variables: [String: String]
  ) -> String? {
    if let project = variables["targetProjectId"].nonEmpty { return project }
    guard case .query = route.project else { return nil }
    return FormFields(parsing: call.query)["project"].nonEmpty ?? defaultProject
  }

  private func destination(
    of call: IncomingCall, route: Route, variables: [String: String]
  ) -> Destination {
    if case .operator = route.audience { return .server }
    return project(of: call, route: route, variables: variables).map { .project($0) } ?? .anyProject
  }

  /// The form that asks for the token, in place of a page.
  package func signIn(_ call: IncomingCall, route: Route) -> OutgoingReply? {
    guard case .projectPage = route.audience else { return nil }
    let target = call.query.isEmpty ? String(call.path) : "\(call.path)?\(call.query)"
    return Self.page(SignInPage.html(to: target))
  }

  package static func page(_ html: String) -> OutgoingReply {
    var reply = OutgoingReply(status: 401, body: Array(html.utf8))
    reply.headers[.contentType] = "text/html; charset=utf-8"
    for (name, value) in SignInPage.headers {
      if let name = HTTPField.Name(name) { reply.headers[name] = value }
    }
    return reply
  }

  /// Checks that the project is open, and that an administrator's token is for it. Apps call
  /// without a visitor.
  package func check(_ project: String, by visitor: Visitor?) throws(APIError) {
    if let visitor {
      try projects.check(visitor, reaches: project)
    } else {
      try projects.check(project)
    }
  }

  // MARK: Afterwards

  /// Logs a line for each call that has steered the server, or tried to. Who was refused is named
  /// too, if a token that counts elsewhere has come.
  package func audit(
    _ operation: String, in project: String?, by visitor: Visitor?, with authorization: String?,
    status: Int
  ) {
    let name = (visitor ?? (try? projects.visitor(authorization)))?.name ?? "nobody"
    // Those of a query may have line breaks.
    let project = project.flatMap { ProjectID.isUsable($0) ? $0 : nil } ?? "-"
    logger.info("control: \(name) \(operation) \(project) \(status)")
  }

  /// Ends a stream with its project: under its id another one may be opened.
  package func bind(_ stream: ReplyStream, to project: SharedProject) -> ReplyStream {
    let forget = project.atEnd(stream.hangUp)
    return ReplyStream(chunks: stream.chunks) {
      forget()
      stream.hangUp()
    }
  }
}

extension IncomingCall {
  /// The same call with another credential.
  package func authorized(_ authorization: String?) -> IncomingCall {
    var headers = headers
    headers[.authorization] = authorization
    var call = IncomingCall(
      method: method, target: query.isEmpty ? String(path) : "\(path)?\(query)", headers: headers,
      host: host, body: body, remoteAddress: remoteAddress, servedPort: servedPort,
      isSecure: isSecure)
    call.replayOf = replayOf
    return call
  }

  /// False if a page of another origin makes the call. Another port of this host is another origin,
  /// too: browsers send a host's cookies to all its ports.
  package var isOfOwnPage: Bool {
    if let site = headers[.secFetchSite], site != "same-origin", site != "none" { return false }
    guard let origin = headers[.origin] else { return true }
    guard let host else { return false }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}
