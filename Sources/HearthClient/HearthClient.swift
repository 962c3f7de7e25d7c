import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A test author's view of a running Hearth: make users, wait for mails, redeem codes, move on.
///
/// ```swift
/// let hearth = HearthClient().isolatedProject()
/// try await hearth.createUser(email: "ann@example.com", password: "old secret")
/// try await hearth.sendPasswordReset(to: "ann@example.com")
/// let mail = try await hearth.waitForMail(to: "ann@example.com")
/// try await hearth.resetPassword(code: mail.code ?? "", newPassword: "new secret")
/// ```
public struct HearthClient: Sendable {
  /// Where the emulator's Auth port is, such as `127.0.0.1`.
  public let host: String
  /// The emulator's Auth port.
  public let port: Int
  /// The project that all calls are about.
  public let project: String

  /// A client of the emulator at that address.
  public init(host: String = "127.0.0.1", port: Int = 9099, project: String = "demo-hearth") {
    self.host = host
    self.port = port
    self.project = project
  }

  /// A client of the emulator that `FIREBASE_AUTH_EMULATOR_HOST` and `GCLOUD_PROJECT` name; nil
  /// when the first one is missing or no `host:port`.
  public init?(environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let address = environment["FIREBASE_AUTH_EMULATOR_HOST"],
      let colon = address.lastIndex(of: ":"),
      let port = Int(address[address.index(after: colon)...])
    else { return nil }
    self.init(
      host: String(address[..<colon]), port: port,
      project: environment["GCLOUD_PROJECT"] ?? "demo-hearth")
  }

  /// A client of a project that nobody else uses, so that tests can run side by side.
  ///
  /// Its id is its API key: give ``apiKey`` to the SDK under test, and it works in that project.
  public func isolatedProject() -> HearthClient {
    let id = UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(16)
    return HearthClient(host: host, port: port, project: "demo-\(id)")
  }

  /// The API key that selects the project, if its id is of the form `demo-…`.
  public var apiKey: String { project.hasPrefix("demo-") ? project : "fake-api-key" }

  // MARK: Requests

  enum Credential {
    case administrator, key, none
  }

  func call(
    _ method: String, _ path: String, _ body: [String: any Sendable]? = nil,
    query: [String: String] = [:], as credential: Credential = .none,
    headers: [String: String] = [:]
  ) async throws -> Data {
    var components = URLComponents()
    components.scheme = "http"
    components.host = host
    components.port = port
    components.path = path
    var items = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    if case .key = credential { items.append(URLQueryItem(name: "key", value: apiKey)) }
    components.queryItems = items.isEmpty ? nil : items
    guard let url = components.url else {
      throw HearthError(code: "INVALID_URL", message: path, httpStatus: 0)
    }
    var request = URLRequest(url: url, timeoutInterval: 330)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if case .administrator = credential {
      request.setValue("Bearer owner", forHTTPHeaderField: "Authorization")
    }
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONSerialization.data(withJSONObject: body)
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else { throw HearthError(data, status) }
    return data
  }

  func accounts(
    _ verb: String, _ body: [String: any Sendable], headers: [String: String] = [:]
  ) async throws -> Data {
    try await call(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:\(verb)", body, as: .key,
      headers: headers)
  }

  func control(
    _ method: String, _ path: String, _ body: [String: any Sendable]? = nil,
    query: [String: String] = [:]
  ) async throws -> Data {
    try await call(method, "/emulator/v1/projects/\(project)/\(path)", body, query: query)
  }
}

/// A refusal of the emulator.
public struct HearthError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error's code, such as `EMAIL_EXISTS`.
  public let code: String
  /// The whole message: the code, and often a detail behind ` : `.
  public let message: String
  /// The status of the HTTP answer; 0 when there was none.
  public let httpStatus: Int

  /// A line for a test's log.
  public var description: String { "\(httpStatus) \(message)" }

  init(code: String, message: String, httpStatus: Int) {
    self.code = code
    self.message = message
    self.httpStatus = httpStatus
  }

  init(_ data: Data, _ status: Int) {
    struct Envelope: Decodable {
      struct Body: Decodable { let message: String }
      let error: Body
    }
    let envelope = try? JSONDecoder().decode(Envelope.self, from: data)
    message = envelope?.error.message ?? "HTTP status \(status)"
    code = message.components(separatedBy: " : ")[0]
    httpStatus = status
  }
}
