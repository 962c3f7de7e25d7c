import HearthErrors
import HearthIdentityToolkit
import HearthMailbox
import HearthOperations
import HearthWire

/// `GET /emulator/v1/projects/{project}/appLinks`
enum GetAppLinks: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    .json(try AppLinksStore(in: project).links().record)
  }
}

/// Replaces the apps: `PUT /emulator/v1/projects/{project}/appLinks`.
enum PutAppLinks: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let links = try AppLinks(request.body)
    try AppLinksStore(in: project).save(links)
    return .json(links.record)
  }
}

/// `GET /.well-known/apple-app-site-association`, which Apple's servers read of a domain.
enum AppleAppSiteAssociation: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let links = try AppLinksStore(in: project).links()
    guard !links.ios.isEmpty else {
      throw APIError(
        .notFound, detail: "no app for iOS is set; see /emulator/v1/projects/{project}/appLinks")
    }
    return .answer(
      Answer(status: 200, body: .text(links.appleDocument.text, contentType: "application/json")))
  }
}

/// `GET /.well-known/assetlinks.json`, which phones with Android read of a domain.
enum AssetLinks: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let links = try AppLinksStore(in: project).links()
    guard !links.android.isEmpty else {
      throw APIError(
        .notFound, detail: "no app for Android is set; see /emulator/v1/projects/{project}/appLinks"
      )
    }
    return .answer(
      Answer(status: 200, body: .text(links.androidDocument.text, contentType: "application/json")))
  }
}

/// Compares what the project serves with an app's entitlements and the links in its mails:
/// `POST /emulator/v1/projects/{project}/appLinks:check`.
enum CheckAppLinks: Operation {
  struct Request: OperationRequest {
    /// A list of strings, if any.
    let domains: JSON?
    let appId: String?

    init(_ wire: WireRequest) {
      domains = wire.body["associatedDomains"]
      appId = wire.string("appId").nonEmpty
    }
  }

  private static let mostMessages = 1000

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let links = try AppLinksStore(in: project).links()
    let entries = request.domains ?? []
    guard let texts = entries.array?.compactMap(\.string), texts.count == entries.array?.count
    else {
      throw APIError(.invalidArgument, detail: "/associatedDomains must be a list of strings")
    }
    let domains = texts.compactMap(Self.host(of:))
    var problems: [String] = []
    if links.ios.isEmpty {
      problems.append("the project has no app for iOS, so it serves no apple-app-site-association")
    }
    if domains.isEmpty {
      problems.append("the entitlements have no associated domain that begins with applinks:")
    }
    if let id = request.appId, !links.ios.isEmpty, !links.ios.contains(where: { $0.id == id }) {
      let known = links.ios.map(\.id).joined(separator: ", ")
      problems.append("the app is \(id), and the project serves links for \(known)")
    }
    // Another app's paths open another app.
    let own = links.ios.filter { $0.id == request.appId }
    let apps = own.isEmpty ? links.ios : own
    var seen: Set<String> = []
    var count: Int64 = 0
    for message in try Mailbox(in: project).messages(limit: Self.mostMessages) {
      guard let text = message.link, let url = WebURL(text) else { continue }
      count += 1
      for problem in Self.problems(of: url, domains: domains, apps: apps)
      where seen.insert(problem).inserted {
        problems.append("\(problem) (\(message.type) to \(message.recipient))")
      }
    }
    return .json(["problems": .strings(problems), "links": .int(count)])
  }

  /// The host in an entry such as `applinks:example.com?mode=developer`.
  private static func host(of entry: String) -> String? {
    guard entry.hasPrefix("applinks:") else { return nil }
    return entry.dropFirst("applinks:".count).split(separator: "?").first.map { $0.lowercased() }
  }

  private static func problems(
    of url: WebURL, domains: [String], apps: [AppLinks.AppleApp]
  ) -> [String] {
    let host = url.host.lowercased()
    let isKnown = domains.contains { domain in
      domain == host || domain.hasPrefix("*.") && host.hasSuffix(domain.dropFirst())
    }
    var problems: [String] = []
    if !isKnown, !domains.isEmpty {
      problems.append("links go to \(host), which is not an associated domain of the app")
    }
    if url.scheme != "https" {
      problems.append("links to \(host) begin with \(url.scheme):, and phones take https alone")
    }
    let paths = apps.flatMap(\.paths)
    let path = "/" + url.beforeQuery.split(separator: "/").dropFirst().joined(separator: "/")
    if !apps.isEmpty, !paths.contains(where: { AppLinks.fits($0, path: path) }) {
      problems.append("no path of the apps fits \(path)")
    }
    return problems
  }
}
