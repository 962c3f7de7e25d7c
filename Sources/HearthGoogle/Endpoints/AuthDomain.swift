import HTTPTypes
import HearthControl
import HearthErrors
import HearthOperations
import HearthServiceAccounts
import HearthTransport
import HearthWire

/// The settings of an app, as Firebase Hosting serves them.
private struct AppSettings {
  let project: String
  let authDomain: String

  /// Of the project that the host names.
  init(_ call: IncomingCall, server: ServerFacts) {
    let name = (call.host ?? "").prefix { $0 != ":" }.lowercased()
    let domain = [".firebaseapp.com", ".web.app"].first(where: name.hasSuffix)
    let named = domain.map { String(name.dropLast($0.count)) }
    project = named.flatMap { ProjectID.isUsable($0) ? $0 : nil } ?? server.defaultProject
    authDomain = server.google?.authDomain(of: project) ?? "\(project).firebaseapp.com"
  }

  func json(_ server: ServerFacts) -> JSON {
    let key = project == server.defaultProject ? "fake-api-key" : project
    return .members([
      "apiKey": .string(key), "appId": "1:1:web:1", "authDomain": .string(authDomain),
      "databaseURL": "", "messagingSenderId": "1", "projectId": .string(project),
      "storageBucket": .string("\(project).appspot.com"),
    ])
  }
}

enum GetInitJSON: ServerOperation {
  static func run(
    _ request: ServerRequest, with server: ServerFacts
  ) async throws -> OutgoingReply {
    ReplyWriter.json(AppSettings(request.call, server: server).json(server))
  }
}

enum GetInitScript: ServerOperation {
  static func run(
    _ request: ServerRequest, with server: ServerFacts
  ) async throws -> OutgoingReply {
    let settings = AppSettings(request.call, server: server).json(server)
    return ReplyWriter.text(
      """
      if (typeof firebase === "undefined")
        throw new Error("hosting/init-error: the Firebase SDK was not loaded before init.js.");
      firebase.initializeApp(\(settings.text));

      """, contentType: "text/javascript; charset=utf-8")
  }
}

/// Where the links of mobile apps lead: on to the action page in `link`, and nowhere else.
enum FollowAuthLink: ServerOperation {
  static func run(
    _ request: ServerRequest, with server: ServerFacts
  ) async throws -> OutgoingReply {
    let project = AppSettings(request.call, server: server).project
    guard let link = FormFields(parsing: request.call.query)["link"].nonEmpty,
      let target = target(of: link, project: project, server: server)
    else {
      throw APIError(.invalidArgument, message: "link must be an action link of this project")
    }
    var reply = OutgoingReply(status: 302)
    reply.headers[.location] = target
    return reply
  }

  /// The page stays on the host that was called.
  private static func target(
    of link: String, project: String, server: ServerFacts
  ) -> String? {
    let pages = [
      "https://\(project).firebaseapp.com/__/auth/action",
      server.google?.actionPage(of: project),
    ]
    for case let page? in pages where link.hasPrefix(page + "?") {
      let query = link.dropFirst(page.count)
      return query.utf8.allSatisfy { (0x21..<0x7F).contains($0) } ? "/__/auth/action" + query : nil
    }
    return nil
  }
}
