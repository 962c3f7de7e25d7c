import HearthErrors
import HearthOperations
import Testing

@Suite struct `A pool for long work` {
  @Test func `refuses what has no place, and names the work`() async throws {
    let pool = WorkPool("counting", threads: 1, places: 0)
    let refusal = try await pool.run { () async throws(APIError) -> APIError? in
      do throws(APIError) {
        try await pool.run {}
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal?.code == .unavailable && refusal?.message.contains("counting") == true)
  }

  @Test func `has its place back after a failure`() async throws {
    let pool = WorkPool("counting", threads: 1, places: 0)
    for _ in 0..<3 {
      await #expect(throws: APIError(.userNotFound)) {
        try await pool.run { () async throws(APIError) in throw APIError(.userNotFound) }
      }
    }
    #expect(try await pool.run { 1 } == 1)
  }

  @Test func `finishes what has begun, whatever waits`() async throws {
    let pool = WorkPool("counting", threads: 1, places: 0)
    let value = try await pool.run { () async throws(APIError) in
      await pool.finish { 2 }
    }
    #expect(value == 2)
  }
}
