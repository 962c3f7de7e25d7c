import Foundation
import HearthClient
import HearthTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum Place {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The command that was built with the tests, unless the environment names another.
  static let binary =
    ProcessInfo.processInfo.environment["HEARTH_BINARY"]
    ?? root.appending(path: ".build/debug/hearth").path
}

extension HearthServerSource {
  /// One server for all tests of this process.
  static let local = HearthServerSource.binary(Place.binary)
}

/// An app's requests, without any library of Hearth.
struct App: Sendable {
  struct Reply: Sendable {
    let status: Int
    let body: [String: JSONValue]

    subscript(member: String) -> JSONValue? { body[member] }
  }

  let hearth: HearthClient
  var prefix = ""

  func post(
    _ path: String, body: [String: String], headers: [String: String] = [:]
  ) async throws -> Reply {
    var request = URLRequest(url: try url(path))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(body)
    return try await send(request, headers: headers)
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> Reply {
    try await send(URLRequest(url: try url(path)), headers: headers)
  }

  private func url(_ path: String) throws -> URL {
    guard let url = URL(string: "http://\(hearth.authAddress)\(prefix)\(path)") else {
      throw URLError(.badURL)
    }
    return url
  }

  private func send(_ request: URLRequest, headers: [String: String]) async throws -> Reply {
    var request = request
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return Reply(
      status: (response as? HTTPURLResponse)?.statusCode ?? 0,
      body: (try? JSONDecoder().decode([String: JSONValue].self, from: data)) ?? [:])
  }
}

/// The error of a call; nil when there is none.
func refusal<Value>(_ call: () async throws -> Value) async -> HearthError? {
  do {
    _ = try await call()
    return nil
  } catch let error as HearthError {
    return error
  } catch {
    return HearthError(code: "OTHER", message: "\(error)", httpStatus: 0)
  }
}
