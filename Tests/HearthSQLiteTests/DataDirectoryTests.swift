import Foundation
import HearthErrors
import HearthSQLite
import HearthTestSupport
import Testing

@Suite struct `A data directory` {
  @Test func `is made where there is none, for its owner only`() throws {
    try withTemporaryFolder { directory in
      let store = try Store(directory: directory + "/deep/data")
      try store.inProject("one") { project throws(APIError) in try project.leaveTrace() }
      let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/deep/data")
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `that others may read has files that they may not`() throws {
    try withTemporaryFolder { directory in
      let store = try Store(directory: directory)
      try store.inProject("one") { project throws(APIError) in try project.leaveTrace() }
      for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/" + name)
        #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
      }
    }
  }

  @Test(arguments: ["hearth.sqlite", "hearth.lock"])
  func `does not lead elsewhere by a symbolic link`(name: String) throws {
    try withTemporaryFolder { directory in
      let inside = directory + "/data"
      try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
      let elsewhere = directory + "/elsewhere"
      try Data().write(to: URL(fileURLWithPath: elsewhere))
      try FileManager.default.createSymbolicLink(
        atPath: inside + "/" + name, withDestinationPath: elsewhere)
      #expect(throws: StoreError.self) { try Store(directory: inside) }
    }
  }

  @Test func `is refused to a second opener as long as the first one is there`() throws {
    try withTemporaryFolder { directory in
      var first: Store? = try Store(directory: directory)
      withExtendedLifetime(first) {
        let error = #expect(throws: StoreError.self) { try Store(directory: directory) }
        #expect(error?.description == "the data directory \(directory) is in use by another hearth")
      }
      first = nil
      _ = try Store(directory: directory)
    }
  }

  @Test func `can be opened again once it is closed, also while the first store is held`() throws {
    try withTemporaryFolder { directory in
      let first = try Store(directory: directory)
      first.close()
      let second = try Store(directory: directory)
      withExtendedLifetime(first) {
        _ = #expect(throws: StoreError.self) { try Store(directory: directory) }
      }
      second.close()
    }
  }

  @Test func `keeps what was committed, and nothing else`() throws {
    try withTemporaryFolder { directory in
      try reopened(directory) { store in
        try store.inProject("kept") { project throws(APIError) in try project.leaveTrace() }
        #expect(throws: refusal) {
          try store.inProject("undone") { project throws(APIError) in
            try project.leaveTrace()
            throw refusal
          }
        }
      }
      try reopened(directory) { store in
        let projects = try store.projects
        #expect(projects == ["kept"])
      }
    }
  }

  /// As a process leaves it that was killed between making the file and the first commit.
  @Test func `with an empty file is as good as new`() throws {
    try withTemporaryFolder { directory in
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: directory + "/hearth.sqlite"))
      for round in 1...3 {
        try reopened(directory) { store in
          try store.inProject("p\(round)") { project throws(APIError) in try project.leaveTrace() }
          #expect(try store.projects.count == round)
        }
      }
    }
  }

  @Test func `with a file that is no database is refused, and the file is left alone`() throws {
    try withTemporaryFolder { directory in
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      let file = URL(filePath: directory + "/hearth.sqlite")
      let text = Data(String(repeating: "this is a letter, and no database\n", count: 100).utf8)
      try text.write(to: file)
      #expect(throws: (any Error).self) { try Store(directory: directory) }
      #expect(try Data(contentsOf: file) == text)
    }
  }

  @Test func `of a newer hearth is refused by name`() throws {
    try withTemporaryFolder { directory in
      try reopened(directory) { store in
        try store.transaction { transaction throws(APIError) in
          try transaction.execute(
            "INSERT INTO grdb_migrations VALUES ('9999 of the future')", arguments: [])
        }
      }
      let error = #expect(throws: StoreError.self) { try Store(directory: directory) }
      #expect(
        error?.description
          == "\(directory)/hearth.sqlite was made by a newer version of hearth, which this "
          + "one cannot read (--data)")
    }
  }

  /// Opens the directory for the body only.
  private func reopened(_ directory: String, body: (Store) throws -> Void) throws {
    let store = try Store(directory: directory)
    try body(store)
    store.close()
  }
}
