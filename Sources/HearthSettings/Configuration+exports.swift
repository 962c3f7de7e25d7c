import HearthExports

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// Gives `--import` and `--export-on-exit` together the meaning that the official tools give them.
  ///
  /// Without a value, the export goes where the import came from. Where both are one directory that
  /// is not there yet, nothing is imported. The working directory, and what it lies in, are not
  /// exported to.
  package mutating func settleExports(in workingDirectory: String) throws(ConfigurationError) {
    try checkReadablePasswords()
    guard var target = exportDirectory else { return }
    if target.isEmpty {
      guard let importPath else {
        throw ConfigurationError(
          misuse: "--export-on-exit needs a directory, or an --import whose directory it can use")
      }
      target = importPath
    }
    let working = Self.absolute(workingDirectory, in: "/")
    let path = Self.absolute(target, in: working)
    guard path != working, !(working + "/").hasPrefix(path == "/" ? path : path + "/") else {
      throw ConfigurationError(
        misuse: "'\(target)' is the working directory or has it in it: choose another for "
          + "--export-on-exit")
    }
    try Self.checkDirectory(target, path: path)
    let isThere = FileManager.default.fileExists(atPath: path)
    exportDirectory = target
    if let source = importPath, !isThere, Self.absolute(source, in: working) == path {
      importPath = nil
    }
  }

  /// Refuses the flag where it would change nothing.
  private func checkReadablePasswords() throws(ConfigurationError) {
    guard exportsReadablePasswords, !project.hasPrefix("demo-") else { return }
    throw ConfigurationError(
      """
      --export-readable-passwords has no effect: it is for projects whose ids begin with 'demo-', \
      and the project is '\(project)'. Passwords that an imported folder has in clear are exported \
      in clear without it.
      """)
  }

  /// Refuses a file, and a path that leads through one. At the end of the server it would be too
  /// late: nothing could be exported, and the data would be gone.
  private static func checkDirectory(
    _ target: String, path: String
  ) throws(ConfigurationError) {
    var place = URL(fileURLWithPath: path).standardizedFileURL
    while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
      place = place.deletingLastPathComponent().standardizedFileURL
    }
    guard !Directories.exists(place.path) else { return }
    let file = place.path == path ? target : place.path
    throw ConfigurationError(misuse: "'\(file)' is a file: --export-on-exit needs a directory")
  }

  private static func absolute(_ path: String, in directory: String) -> String {
    URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: directory, isDirectory: true))
      .standardizedFileURL.path
  }
}
