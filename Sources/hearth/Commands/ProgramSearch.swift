#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a command is, as a shell finds it.
enum ProgramSearch {
  /// - Parameters:
  ///   - program: a name, or a path where it has a slash.
  ///   - path: folders, as in `PATH`.
  /// - Returns: the path of the first program of this name; nil where there is none.
  static func location(of program: String, on path: String) -> String? {
    guard !program.contains("/") else { return isProgram(program) ? program : nil }
    return path.split(separator: ":").lazy.map { "\($0)/\(program)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
