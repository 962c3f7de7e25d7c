import Subprocess

#if canImport(Darwin)
  import System
#else
  import SystemPackage
#endif

/// Tries whether a command can have a network of its own.
enum NamespaceProbe {
  /// Nil where it can.
  static func failure() async -> NamespaceFailure? {
    #if os(Linux)
      do throws(NamespaceFailure) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let covers = try NamespaceFiles(folder: folder.path).write(
          names: ["metadata.google.internal"], home: nil, hidesCredentials: false)
        let namespace = try CommandNamespace(folder.path, covers: covers)
        let process = Task {
          try await Subprocess.run(
            .path("/proc/self/exe"),
            arguments: Arguments(namespace.arguments("true", arguments: [])),
            output: .discarded, error: .discarded)
        }
        let made = try await namespace.made()
        made.abandon()
        _ = try? await process.value
        return nil
      } catch {
        return error
      }
    #else
      return NamespaceFailure("make a namespace", reason: "only Linux has them")
    #endif
  }
}
