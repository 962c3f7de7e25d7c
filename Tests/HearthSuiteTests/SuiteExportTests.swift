import Foundation
import HearthSuite
import Testing

@Suite struct `The rest of an export` {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let place = URL(fileURLWithPath: NSTemporaryDirectory() + "suite-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    try body(place)
  }

  private func write(_ text: String, to place: URL) throws {
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: place)
  }

  @Test func `is put beside what this server has`() throws {
    try withFolder { place in
      let (source, target) = (place.appending(path: "a"), place.appending(path: "b"))
      try write(
        """
        {"version":"15.28.1","storage":{"version":"15.28.1","path":"storage_export"},
        "auth":{"path":"auth_export"},"database":{"path":"../outside"}}
        """, to: source.appending(path: "firebase-export-metadata.json"))
      try write("{}", to: source.appending(path: "storage_export/buckets.json"))
      try write("x", to: place.appending(path: "outside/x"))
      try write(
        #"{"version":"1","auth":{"version":"1","path":"auth_export"}}"#,
        to: target.appending(path: "firebase-export-metadata.json"))
      try write("old", to: target.appending(path: "storage_export/old"))
      let substitute = place.path + "/c"
      #expect(
        try SuiteExport.importable(source.path, substitute: substitute) == source.path)
      #expect(try SuiteExport.importable(target.path, substitute: substitute) == nil)
      try SuiteExport.carry(from: source.path, into: target.path)
      let files = FileManager.default
      #expect(files.fileExists(atPath: target.path + "/storage_export/buckets.json"))
      #expect(!files.fileExists(atPath: target.path + "/storage_export/old"))
      #expect(files.fileExists(atPath: place.path + "/outside/x"))
      let text = try String(
        contentsOf: target.appending(path: "firebase-export-metadata.json"), encoding: .utf8)
      #expect(text.contains(#""path": "storage_export""#))
      #expect(text.contains(#""version": "1""#))
      #expect(!text.contains("outside"))
    }
  }

  @Test func `that is not there changes nothing`() throws {
    try withFolder { place in
      try SuiteExport.carry(from: place.path + "/none", into: place.path + "/b")
      #expect(!FileManager.default.fileExists(atPath: place.path + "/b"))
    }
  }

  @Test func `is read without the folders that Git has lost`() throws {
    try withFolder { place in
      let source = place.appending(path: "a")
      try write(
        """
        {"version":"15.28.1","storage":{"path":"storage_export"},
        "database":{"path":"database_export"}}
        """, to: source.appending(path: "firebase-export-metadata.json"))
      try write("{}", to: source.appending(path: "storage_export/buckets.json"))
      let substitute = place.path + "/c"
      #expect(try SuiteExport.importable(source.path, substitute: substitute) == substitute)
      let text = try String(
        contentsOfFile: substitute + "/firebase-export-metadata.json", encoding: .utf8)
      #expect(text.contains("storage_export") && !text.contains("database"))
      #expect(
        FileManager.default.fileExists(atPath: substitute + "/storage_export/buckets.json"))
    }
  }
}
