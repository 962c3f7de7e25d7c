import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Single requests over a connection that is kept.
enum Client {
  /// The answer to a request of an administrator.
  @discardableResult
  static func post(_ url: String, body: String) async throws -> Data {
    try await send("POST", url: url, body: body)
  }

  @discardableResult
  static func send(_ method: String, url: String, body: String = "") async throws -> Data {
    guard let address = URL(string: url) else { throw Command.Failure("\(url) is not an address") }
    var request = URLRequest(url: address)
    request.httpMethod = method
    if !body.isEmpty { request.httpBody = Data(body.utf8) }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer owner", forHTTPHeaderField: "Authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else {
      let reason = String(decoding: data.prefix(500), as: UTF8.self)
      throw Command.Failure("\(url) answered \(status):\n\(reason)")
    }
    return data
  }

  /// The milliseconds that a request takes.
  static func time(_ url: String, body: String) async throws -> Double {
    let started = ContinuousClock.now
    try await post(url, body: body)
    return started.millisecondsAgo
  }
}
