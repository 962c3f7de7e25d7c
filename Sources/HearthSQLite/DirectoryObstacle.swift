#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a directory cannot be made, in words.
struct DirectoryObstacle: CustomStringConvertible {
  let description: String

  /// Looks at the path: called when it could not be made.
  init(on path: String) {
    var place = path
    var missing = path
    while !Self.exists(place), let slash = place.lastIndex(of: "/") {
      missing = place
      place = slash == place.startIndex ? "/" : String(place[..<slash])
      if place == missing { break }
    }
    guard Self.exists(place) else {
      description = Self.words(Self.reasonToRefuse(missing))
      return
    }
    guard Self.isDirectory(place) else {
      description = "'\(place)' is a file"
      return
    }
    description = "in '\(place)': \(Self.words(Self.reasonToRefuse(missing)))"
  }

  /// What the system says.
  static func words(_ code: CInt) -> String {
    switch code {
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case EROFS: "the file system is read-only"
    case ENOENT: "no directory can be made there"
    default: String(cString: strerror(code)).lowercased()
    }
  }

  /// The error of making the first directory that is missing.
  private static func reasonToRefuse(_ path: String) -> CInt {
    mkdir(path, 0o700) == 0 ? EIO : errno
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
