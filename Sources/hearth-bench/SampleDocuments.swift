import Foundation

/// Documents with five small fields: `group` has a hundred values, `n` is another one in each.
enum SampleDocuments {
  /// Writes of one commit, as many as production takes.
  static let batch = 500

  /// Fills the collection `bench`, and returns the milliseconds of each commit.
  @discardableResult
  static func fill(_ server: Server, count: Int) async throws -> [Double] {
    var times: [Double] = []
    for start in stride(from: 0, to: count, by: batch) {
      let writes = (start..<min(start + batch, count)).map { write($0, of: count) }
      let body = #"{"writes":[\#(writes.joined(separator: ","))]}"#
      times.append(try await Client.time(server.documents(":commit"), body: body))
    }
    return times
  }

  private static func write(_ index: Int, of count: Int) -> String {
    // A prime, so that neighbours in the order of `n` are none in the order of names.
    let n = index * 7919 % count
    return """
      {"update":{"name":"\(Server.documents)/bench/d\(index)","fields":{\
      "group":{"stringValue":"g\(index % 100)"},"n":{"integerValue":"\(n)"},\
      "name":{"stringValue":"Name \(index)"},"done":{"booleanValue":\(index % 2 == 0)},\
      "share":{"doubleValue":\(Double(index % 1000) / 1000)}}}}
      """
  }

  /// The body of `:runQuery`, with these members of a structured query.
  static func query(_ members: String) -> String {
    #"{"structuredQuery":{"from":[{"collectionId":"bench"}],\#(members)}}"#
  }

  /// Fails unless a query finds that many documents: a wrong answer may be a quick one.
  static func expect(_ count: Int, from server: Server, query: String) async throws {
    struct Answer: Decodable {
      struct Document: Decodable { let name: String }
      let document: Document?
    }
    let data = try await Client.post(server.documents(":runQuery"), body: query)
    let found = try JSONDecoder().decode([Answer].self, from: data).compactMap(\.document)
    guard found.count == count else {
      throw Command.Failure("\(found.count) documents instead of \(count) from \(query)")
    }
  }
}
