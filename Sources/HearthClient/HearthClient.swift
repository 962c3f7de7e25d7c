import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client for tests against a running Hearth: creates users, waits for mails, redeems codes.
///
/// ```swift
/// let hearth = HearthClient().isolatedProject()
/// try await hearth.createUser(email: "ann@example.com", password: "old secret")
/// try await hearth.sendPasswordReset(to: "ann@example.com")
/// let mail = try await hearth.waitForMail(to: "ann@example.com", type: .passwordReset)
/// try await hearth.resetPassword(code: mail.code ?? "", newPassword: "new secret")
/// ```
///
/// Every failure is thrown as a ``HearthError``.
public struct HearthClient: Sendable {
  /// The host of the emulator's Auth port, such as `127.0.0.1`.
  public let host: String
  /// The emulator's Auth port.
  public let port: Int
  /// `host:port` of Firestore, for the settings of an SDK.
  public let firestoreAddress: String
  /// The project that all calls are about.
  public let project: String
  /// Set if no emulator was found: every call throws it.
  package var absence: HearthError?

  /// A client of the emulator at that address.
  ///
  /// - Parameters:
  ///   - host: a name or an address; an IPv6 address may be in brackets.
  ///   - port: the Auth port.
  ///   - firestore: `host:port` of Firestore; nil for the Auth port, at which Firestore answers too.
  ///   - project: the project that all calls are about. A project of the form `demo-…` is
  ///     selected by its ``apiKey``; any other one must be the emulator's default project.
  public init(
    host: String = "127.0.0.1", port: Int = 9099, firestore: String? = nil,
    project: String = "demo-hearth"
  ) {
    self.host = host
    self.port = port
    self.project = project
    firestoreAddress = firestore ?? Self.address(host, port)
  }

  /// A client that calls nothing and throws that error instead.
  package init(absence: HearthError) {
    self.init(project: "demo-hearth")
    self.absence = absence
  }

  private static func address(_ host: String, _ port: Int) -> String {
    host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// `host:port` of Auth.
  public var authAddress: String { Self.address(host, port) }

  /// A client of the emulator that the environment names, as `hearth exec` sets it; nil when
  /// `FIREBASE_AUTH_EMULATOR_HOST` is missing or is not of the form `host:port`.
  ///
  /// - Parameter environment: the variables; nil for the environment of this process.
  ///   `FIRESTORE_EMULATOR_HOST` is the address of Firestore, and `GCLOUD_PROJECT` names the project.
  public init?(environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let address = environment["FIREBASE_AUTH_EMULATOR_HOST"],
      let colon = address.lastIndex(of: ":"), colon > address.startIndex,
      let port = Int(address[address.index(after: colon)...])
    else { return nil }
    self.init(
      host: String(address[..<colon]), port: port,
      firestore: environment["FIRESTORE_EMULATOR_HOST"],
      project: environment["GCLOUD_PROJECT"] ?? "demo-hearth")
  }

  /// A client of a new project with a random id, so that tests can run side by side.
  ///
  /// The id of the project is its API key: an SDK that is configured with ``apiKey`` uses that project.
  public func isolatedProject() -> HearthClient {
    let id = UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(16)
    return client(of: "demo-\(id)")
  }

  /// A client of another project of the same emulator.
  ///
  /// - Parameter project: the id of the project.
  /// - Returns: the client.
  public func client(of project: String) -> HearthClient {
    var client = HearthClient(host: host, port: port, firestore: firestoreAddress, project: project)
    client.absence = absence
    return client
  }

  /// The API key that selects the project, if its id is of the form `demo-…`.
  public var apiKey: String { project.hasPrefix("demo-") ? project : "fake-api-key" }
}

// MARK: Requests

extension HearthClient {
  enum Credential {
    case administrator, key, none
    case bearer(String)
  }

  /// An answer in which nothing is of interest.
  struct Nothing: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// Longer than the emulator holds any request.
  private static let timeout: TimeInterval = 330

  @discardableResult
  func accounts<Answer: Decodable>(
    _ verb: String, _ body: [String: any Sendable], headers: [String: String] = [:],
    answering answer: Answer.Type
  ) async throws -> Answer {
    try await call(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:\(verb)", body, as: .key,
      headers: headers, answering: answer)
  }

  @discardableResult
  func control<Answer: Decodable>(
    _ method: String, _ path: String, _ body: [String: any Sendable]? = nil, json: Data? = nil,
    query: [String: String] = [:], answering answer: Answer.Type
  ) async throws -> Answer {
    try await call(
      method, "/emulator/v1/projects/\(project)/\(path)", body, json: json, query: query,
      answering: answer)
  }

  @discardableResult
  func call<Answer: Decodable>(
    _ method: String, _ path: String, _ body: [String: any Sendable]? = nil, json: Data? = nil,
    query: [String: String] = [:], as credential: Credential = .none,
    headers: [String: String] = [:], answering answer: Answer.Type
  ) async throws -> Answer {
    if let absence { throw absence }
    let content = try json ?? body.map { try JSONSerialization.data(withJSONObject: $0) }
    let request = try request(method, path, content, query, credential, headers)
    let (data, status) = try await Self.answer(to: request)
    guard (200..<300).contains(status) else { throw HearthError(data, status) }
    do {
      return try JSONDecoder().decode(answer, from: data)
    } catch let required as SecondFactorRequired {
      throw required
    } catch {
      throw HearthError(code: "UNEXPECTED_ANSWER", message: "\(error)", httpStatus: status)
    }
  }

  /// The parameter `wait`; the server holds a request for five minutes at most.
  func waitTime(_ patience: Duration) -> String {
    "\(Int(min(300_000, max(0, patience / .milliseconds(1)))))ms"
  }

  private func request(
    _ method: String, _ path: String, _ body: Data?, _ query: [String: String],
    _ credential: Credential, _ headers: [String: String]
  ) throws -> URLRequest {
    var query = query
    if case .key = credential { query["key"] = apiKey }
    var request = URLRequest(url: try url(path, query), timeoutInterval: Self.timeout)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    switch credential {
    case .administrator: request.setValue("Bearer owner", forHTTPHeaderField: "Authorization")
    case .bearer(let token):
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    case .key, .none: break
    }
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = body
    }
    return request
  }

  private func url(_ path: String, _ query: [String: String]) throws -> URL {
    var components = URLComponents()
    components.scheme = "http"
    components.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    components.port = port
    components.path = path
    let items = query.sorted { $0.key < $1.key }
    components.queryItems =
      items.isEmpty ? nil : items.map { URLQueryItem(name: $0.key, value: $0.value) }
    // Left alone by URLComponents, but a space in a form: `ann+1@example.com`.
    components.percentEncodedQuery = components.percentEncodedQuery?
      .replacingOccurrences(of: "+", with: "%2B")
    guard let url = components.url else {
      throw HearthError(code: "UNREACHABLE", message: "no address: \(host)", httpStatus: 0)
    }
    return url
  }

  private static func answer(to request: URLRequest) async throws -> (Data, status: Int) {
    do {
      let (data, response) = try await URLSession.shared.data(for: request)
      return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    } catch {
      let address = request.url.map { "\($0.host ?? ""):\($0.port ?? 0)" } ?? ""
      throw HearthError(
        code: "UNREACHABLE", message: "no answer from \(address): \(error.localizedDescription)",
        httpStatus: 0)
    }
  }
}
