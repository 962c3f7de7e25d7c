import HearthErrors
import HearthOperations
import Testing

@Suite struct `A work pool` {
  @Test func `refuses what has no place, and goes on when there is one`() async throws {
    let pool = WorkPool("hashing", threads: 1, places: 1)
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let value = try? await pool.run { () async throws(APIError) in
            arrival.yield()
            for await _ in gate { break }
            return true
          }
          return value ?? false
        }
      }
      var arrived = arrivals.makeAsyncIterator()
      for _ in 0..<2 { await arrived.next() }
      await #expect(
        throws: APIError(.unavailable, detail: "too much hashing waits already; try again later")
      ) {
        try await pool.run { () throws(APIError) in }
      }
      opener.finish()
      for await isDone in group { #expect(isDone) }
    }
    #expect(try await pool.run { () throws(APIError) in 7 } == 7)
  }

  @Test func `does all of what it takes, and hands on what is thrown`() async throws {
    let pool = WorkPool("adding", threads: 2, places: 1000)
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...500 {
        group.addTask { (try? await pool.run { () throws(APIError) in number }) ?? 0 }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 125_250)
    await #expect(throws: APIError(.notFound)) {
      try await pool.run { () throws(APIError) in throw APIError(.notFound) }
    }
  }
}
