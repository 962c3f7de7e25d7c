import Foundation

/// The path of a folder that does not exist yet; it is removed with all that the body puts there.
package func withTemporaryFolder<Value>(_ body: (String) throws -> Value) rethrows -> Value {
  let folder = temporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.path)
}

/// The same for a body that waits.
package func withTemporaryFolder<Value>(
  _ body: (String) async throws -> Value
) async rethrows -> Value {
  let folder = temporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}

private func temporaryFolder() -> URL {
  FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
}
