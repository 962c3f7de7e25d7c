import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTestSupport
import Testing

/// Settings are remembered outside of the database; what is remembered must be what is there.
@Suite struct `The settings of a project` {
  private let store: Store

  private let server = ServerFacts()

  init() throws { store = try Store() }

  private func limits(_ project: String = "demo") throws -> Bool {
    try store.inProject(project, server: server) { project throws(APIError) in
      try project.switches().rateLimits
    }
  }

  private func turnOn(
    _ project: ProjectTransaction
  ) throws(APIError) {
    var settings = try project.settings()
    settings.switches.rateLimits = true
    try project.save(settings)
  }

  @Test func `are the profile's at first`() throws { #expect(try !limits()) }

  @Test func `are what was saved last, of that project only`() throws {
    #expect(try !limits())
    try store.inProject("demo", server: server) { project throws(APIError) in try turnOn(project) }
    #expect(try limits())
    #expect(try !limits("other"))
  }

  @Test func `are what they were after a transaction that refused`() throws {
    #expect(try !limits())
    #expect(throws: refusal) {
      try store.inProject("demo", server: server) { project throws(APIError) in
        try turnOn(project)
        // Read again by another part of the same transaction.
        #expect(try project.inTenant(nil).switches().rateLimits)
        throw refusal
      }
    }
    #expect(try !limits())
  }

  @Test func `are new after a refusal that keeps what was written`() throws {
    #expect(try !limits())
    #expect(throws: refusal.keepingWrites) {
      try store.inProject("demo", server: server) { project throws(APIError) in
        try turnOn(project)
        throw refusal.keepingWrites
      }
    }
    #expect(try limits())
  }

  @Test func `are what they were after a part that was undone`() throws {
    #expect(try !limits())
    try store.inProject("demo", server: server) { project throws(APIError) in
      do throws(APIError) {
        try project.transaction.nested { () throws(APIError) in
          try turnOn(project.inTenant(nil))
          throw refusal
        }
      } catch {
        #expect(error == refusal)
      }
      #expect(try !project.inTenant(nil).switches().rateLimits)
    }
    #expect(try !limits())
  }

  @Test func `of very many projects are all there`() throws {
    // More than are remembered.
    for number in 0..<1100 {
      try store.inProject("p\(number)", server: server) { project throws(APIError) in
        if number.isMultiple(of: 2) { try turnOn(project) }
      }
    }
    for number in 0..<1100 { #expect(try limits("p\(number)") == number.isMultiple(of: 2)) }
  }
}
