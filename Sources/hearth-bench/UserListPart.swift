/// How long people wait for the list of users.
enum UserListPart {
  /// The server has that many sample accounts, and nobody has looked at them before.
  static func measure(_ server: Server, accounts count: Int) async throws -> [Row] {
    let list =
      "http://\(server.address)/emulator/v1/projects/\(Server.project)/accounts?limit=50"
    let first = try await milliseconds(list)
    let making = try await milliseconds(list + "&q=nobody-has-this")
    var rows = [
      Row("first page of \(count) users", unit: "ms", value: first, bar: 100, less: true),
      Row("first search among \(count) users", unit: "ms", value: making, less: true),
    ]
    let queries = [
      ("page", "", 100.0), ("page by address", "&sort=email", 100),
      ("page of the disabled", "&disabled=true", 100),
      ("search of a rare part", "&q=user99999", 300), ("search of a part of all", "&q=e", 300),
    ]
    for (name, query, bar) in queries {
      var times: [Double] = []
      for _ in 0..<9 { times.append(try await milliseconds(list + query)) }
      rows.append(
        Row("\(name), \(count) users", unit: "ms", value: times.median, bar: bar, less: true))
    }
    return rows
  }

  private static func milliseconds(_ url: String) async throws -> Double {
    let started = ContinuousClock.now
    try await Client.send("GET", url: url)
    return started.millisecondsAgo
  }
}
