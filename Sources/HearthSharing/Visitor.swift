package import HearthErrors

/// Who has shown a token that counts.
package enum Visitor: Sendable {
  /// The one that runs the server.
  case `operator`
  /// Somebody with the token of a project.
  case project(SharedProject)

  package var project: SharedProject? {
    if case .project(let project) = self { project } else { nil }
  }

  /// What the log calls the caller.
  package var name: String {
    switch self {
    case .operator: "operator"
    case .project(let project): "token \(project.hash.short)"
    }
  }
}

/// What a call wants to reach.
package enum Destination: Sendable {
  /// What concerns all projects, or files of the machine.
  case server
  case project(String)
  /// What is the same for all projects.
  case anyProject
}

extension SharedProjects {
  /// Says who makes a call, by the header or metadata as it came.
  ///
  /// - Throws: UNAUTHENTICATED unless it has a token that counts.
  package func visitor(_ authorization: String?) throws(APIError) -> Visitor {
    guard let authorization, authorization.prefix(7).lowercased() == "bearer " else {
      throw Self.refusal("")
    }
    let token = String(authorization.dropFirst(7))
    guard let visitor = visitor(with: token) else {
      throw Self.refusal(
        token.lowercased() == "owner" ? " `Bearer owner` does not count here." : "")
    }
    return visitor
  }

  /// Says who makes a call, if that one may make it.
  ///
  /// - Throws: UNAUTHENTICATED without a token that counts, and PERMISSION_DENIED where it is for
  ///   another project, or where the project is not open.
  package func admit(
    _ authorization: String?, to destination: Destination
  ) throws(APIError) -> Visitor {
    let visitor = try visitor(authorization)
    switch (destination, visitor) {
    case (.anyProject, _), (.server, .operator): break
    case (.server, .project):
      throw APIError(.permissionDenied, message: "Only the operator of this server may do that.")
    case (.project(let id), _): try check(visitor, reaches: id)
    }
    return visitor
  }

  /// - Throws: PERMISSION_DENIED where the token is another project's, or the project is not open.
  package func check(_ visitor: Visitor, reaches id: String) throws(APIError) {
    switch visitor {
    case .operator: try check(id)
    case .project(let project):
      guard project.id == id else {
        throw APIError(.permissionDenied, message: "The token is of another project than \(id).")
      }
      // Under its id another one may be open by now.
      guard find(id) === project else { throw Self.notOpen(id) }
    }
  }

  /// What clients of apps need: no token, but an open project.
  ///
  /// - Throws: PERMISSION_DENIED.
  package func check(_ id: String) throws(APIError) {
    guard find(id) != nil else { throw Self.notOpen(id) }
  }

  private static func refusal(_ reason: String) -> APIError {
    APIError(
      .unauthenticated,
      message: "This server is shared: send `Authorization: Bearer TOKEN` with the token of the "
        + "project.\(reason)")
  }

  /// The refusal of a project that was never opened, was closed, or has expired.
  package static func notOpen(_ id: String) -> APIError {
    APIError(
      .permissionDenied,
      message: "The project \(id) is not open on this server, or its time is over. The operator "
        + "of the server opens projects.")
  }
}
