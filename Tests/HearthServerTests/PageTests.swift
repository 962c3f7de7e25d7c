import Foundation
import HearthOperations
import HearthServer
import HearthTestSupport
import HearthWire
import NIOHTTP1
import Testing

@Suite struct `Every page` {
  /// The one page that apps put into a frame, here and where production has it.
  private static let framed: Set = ["emulator.auth.iframe", "google.auth.iframe"]

  /// The rows that answer with a page, when a browser asks.
  private static let pages = framed.union([
    "emulator.action", "hearth.action.submit", "emulator.auth.handler", "hearth.console",
    "hearth.console.asset", "hearth.messages.html",
    "hearth.mailbox.list", "hearth.mailbox.show", "hearth.messages.get", "hearth.messages.latest",
    "emulator.firestore.ruleCoveragePage", "google.auth.action", "google.auth.action.submit",
    "google.auth.handler",
  ])

  private func path(_ route: Route) -> String {
    var path = route.template.description
    for (name, value) in [
      ("{targetProjectId}", "demo-hearth"), ("{messageId}", "1.html"), ("{asset}", "index.html"),
      ("{projectId}", "demo-hearth"),
    ] {
      path = path.replacing(name, with: value)
    }
    return path.hasSuffix("/latest") ? path + ".html" : path
  }

  /// The console frames the HTML of mails.
  private func framing(_ route: Route) -> String {
    route.id == "hearth.messages.html" ? "'self'" : "'none'"
  }

  @Test func `has a policy, and only one may be framed by others`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      _ = try await server.oobCode("PASSWORD_RESET", body: ["email": "a@b.c"])
      var seen: Set<String> = []
      let routes = RouteCatalogue.all.filter {
        $0.method == "GET" || $0.id.hasSuffix("action.submit")
      }
      for route in routes where !["hearth.events.watch"].contains(route.id) {
        let query =
          route.template.description.contains("/auth/")
          ? "?apiKey=a&appName=b&providerId=google.com" : ""
        for path in [path(route) + query, path(route).replacing("1.html", with: "1")] {
          guard !path.contains("{") else { continue }
          let reply = try await server.send(
            route.method, path: path, body: route.method == "GET" ? nil : "a=b",
            headers: [
              ("Accept", "text/html"), ("Authorization", "Bearer owner"),
              ("Content-Type", "application/x-www-form-urlencoded"),
            ])
          guard reply.headers.first(name: "Content-Type")?.hasPrefix("text/html") == true else {
            continue
          }
          seen.insert(route.id)
          let policy = reply.headers.first(name: "Content-Security-Policy") ?? ""
          #expect(policy.hasPrefix("default-src 'none'"), "\(path)")
          #expect(
            policy.contains("frame-ancestors \(framing(route))")
              == (!Self.framed.contains(route.id) || reply.status != 200),
            "\(path)")
          #expect(!policy.contains("script-src 'unsafe-inline'"), "\(path)")
          #expect(reply.headers.first(name: "X-Content-Type-Options") == "nosniff", "\(path)")
        }
      }
      #expect(seen == Self.pages)
    }
  }

  @Test(arguments: ["handler", "iframe"])
  func `lets only its own script run, by a number used once`(_ name: String) async throws {
    try await TestServer.open { server in
      let path = "/emulator/auth/\(name)?apiKey=a&appName=b&providerId=google.com"
      let first = try await server.send("GET", path: path)
      let second = try await server.send("GET", path: path)
      let nonces = [first, second].compactMap { reply in
        reply.text.firstMatch(of: /<script nonce="([\w-]{22})">/)?.1
      }
      #expect(Set(nonces).count == 2)
      let policy = first.headers.first(name: "Content-Security-Policy") ?? ""
      #expect(policy.contains("script-src 'nonce-\(nonces.first ?? "")'"))
    }
  }

  @Test func `that a link leads to speaks the language of its mail`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      for (locale, lang, tag) in [
        ("de-AT", "de-AT", "de"), ("ar", "ar", "ar\" dir=\"rtl"), ("tlh", "tlh", "en"),
        ("a&b", "en", "en"), ("de,en", "de", "de"),
      ] {
        let sent = try await server.post(
          "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any",
          body: ["requestType": "PASSWORD_RESET", "email": "a@b.c"],
          headers: [("X-Firebase-Locale", locale)])
        #expect(sent.status == 200)
        let mail = try await server.emulator("GET", path: "messages/latest")
        let link = try #require(mail["oobLink"]?.string)
        #expect(link.contains("?mode=resetPassword&lang=\(lang)&oobCode="))
        let path = try #require(link.firstMatch(of: /\/emulator.*/)?.0)
        let page = try await server.send(
          "GET", path: String(path), headers: [("Accept", "text/html")])
        #expect(page.text.contains("<html lang=\"\(tag)\">"))
      }
    }
  }

  @Test func `and mail of a project's own greets by name`() async throws {
    try await TestServer.open { server in
      let template: JSON = [
        "notification": [
          "sendEmail": [
            "resetPasswordTemplate": ["subject": "Hi %DISPLAY_NAME%", "body": "%EMAIL% %LINK%"]
          ]
        ]
      ]
      let set = try await server.adminV2(
        "PATCH", path: "/config?updateMask=notification.sendEmail", body: template)
      #expect(set.status == 200, "\(set.text)")
      _ = try await server.admin(
        "/accounts", body: ["email": "a@b.c", "password": "secret1", "displayName": "Ann 🚀"])
      _ = try await server.oobCode("PASSWORD_RESET", body: ["email": "a@b.c"])
      let mail = try await server.emulator("GET", path: "messages/latest")
      #expect(mail["subject"] == "Hi Ann 🚀")
    }
  }
}
