import HTTPTypes
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthSharing
import HearthTime
import HearthTransport
import HearthWire
import Logging

extension ProjectControl {
  /// Opens the project that the body orders, and says its token, this once.
  func open(_ body: JSONObject) throws -> OutgoingReply {
    guard let sharing else {
      throw APIError(
        .failedPrecondition, detail: "only a server with --require-token opens projects")
    }
    let order = try ProjectOrder(body)
    guard ProjectID.isUsable(order.id) else {
      throw APIError(
        .invalidArgument, detail: "/projectId must be the id of a project, such as demo-x")
    }
    let (project, token) = order.opened(at: server.clock.now)
    try sharing.projects.add(project)
    do {
      try store.transaction { transaction throws(APIError) in
        try project.store(in: transaction)
        try ByteQuotas.watch(project, in: transaction)
      }
    } catch {
      _ = project.end()
      sharing.projects.remove(project)
      throw error
    }
    var answer = project.json(used: nil).object ?? JSONObject()
    answer["token"] = .string(token)
    var reply = ReplyWriter.json(.object(answer))
    reply.headers[.cacheControl] = "no-store"
    return reply
  }

  /// Takes the token from the form, and gives the browser a cookie for it.
  func signIn(_ request: SignIn.Request) throws -> OutgoingReply {
    guard let sharing else { throw APIError(.routeNotFound) }
    guard request.isOfOwnPage else {
      throw APIError(
        .forbiddenHost, detail: "this endpoint does not answer to pages of other origins")
    }
    guard let visitor = try? sharing.projects.visitor("Bearer \(request.token)"),
      let project = visitor.project
    else { return Sharing.page(SignInPage.html(to: request.target, isWrong: true)) }
    var reply = OutgoingReply(status: 303)
    reply.headers[.location] =
      SignInPage.isOwn(request.target) ? request.target : SignInPage.home
    reply.headers[.cacheControl] = "no-store"
    let seconds = project.expires.seconds - server.clock.now.seconds
    reply.headers[.setCookie] = SignInPage.setCookie(
      request.token, seconds: seconds, isSecure: request.isSecure)
    return reply
  }
}

extension SharedProject {
  /// As the endpoints show it; `used` is in bytes.
  func json(used: Int64?) -> JSON {
    .members([
      "projectId": .string(id), "openedAt": .string(openedAt.iso8601),
      "expiresAt": .string(expires.iso8601), "quotaBytes": quota.map(JSON.int),
      "usedBytes": used.map(JSON.int),
    ])
  }
}

extension ProjectControl {
  /// The list of projects: all of them for the operator, and for others their own.
  func listShared(to visitor: Visitor) throws(APIError) -> OutgoingReply {
    let projects = try shared(by: visitor)
    let names = projects.map(\.project.id)
    return ReplyWriter.json(
      .members([
        "projects": .strings(names),
        "defaultProject": .string(names.first ?? server.defaultProject), "lastActivity": [:],
        "opened": .array(projects.map { $0.project.json(used: $0.used) }),
      ]))
  }

  /// The projects that a visitor of a shared server sees, with what they hold.
  private func shared(by visitor: Visitor) throws(APIError) -> [(
    project: SharedProject, used: Int64
  )] {
    guard let sharing else { return [] }
    let used = try store.transaction { transaction throws(APIError) in
      try ByteQuotas.used(in: transaction)
    }
    let projects = visitor.project.map { [$0] } ?? sharing.projects.all
    return projects.map { ($0, used[$0.id] ?? 0) }
  }

  /// Clears a project, and closes it where the operator asks.
  func delete(_ id: String, for visitor: Visitor?) async throws {
    if case .operator? = visitor, let project = sharing?.projects.find(id) {
      try await close(project)
    } else {
      try await clear(id)
    }
  }

  /// Refuses a project, ends its streams, deletes what it holds, and then forgets it.
  func close(_ project: SharedProject) async throws {
    // Otherwise somebody else clears it already.
    guard project.end() else { return }
    try await clear(project.id)
    try store.transaction { transaction throws(APIError) in
      try project.remove(in: transaction)
      try ByteQuotas.forget(project, in: transaction)
    }
    sharing?.projects.remove(project)
  }

  /// Clears the projects whose time is over, until the task is cancelled.
  package func closeInTime() async {
    guard let sharing else { return }
    await sharing.projects.run { project in
      do {
        try await close(project)
        sharing.audit(
          "hearth.projects.expire", in: project.id, by: .operator, with: nil, status: 200)
      } catch {
        sharing.logger.error("The project \(project.id) could not be cleared: \(error)")
      }
    }
  }
}
