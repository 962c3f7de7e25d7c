#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a command cannot have a network of its own here, and what helps.
///
/// The kernel only says that something is not permitted. The reason is in its settings, so these
/// are read.
struct NamespaceDiagnosis {
  let failure: NamespaceFailure
  /// Reads a file of the system, with blanks and line ends as one blank each; nil where it does not
  /// exist.
  var read: (String) -> String? = { path in
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The failure, and a line for each cause that is found.
  var lines: [String] {
    let found = Self.causes.filter { $0.isSo(read($0.file)) }.map(\.words)
    return ["\(failure)"] + found
  }

  /// A setting that may be the cause.
  private struct Cause: Sendable {
    let file: String
    /// Whether the content of the file, nil where there is none, is the cause.
    let isSo: @Sendable (String?) -> Bool
    let words: String
  }

  private static let causes = [
    // Ubuntu 23.10 and later.
    Cause(
      file: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", isSo: { $0 == "1" },
      words: """
        AppArmor lets only root do this (kernel.apparmor_restrict_unprivileged_userns=1): run \
        `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or hearth as root
        """),
    // A setting of Debian's kernels, which most others do not have.
    Cause(
      file: "/proc/sys/kernel/unprivileged_userns_clone", isSo: { $0 == "0" },
      words: """
        the kernel lets only root do this (kernel.unprivileged_userns_clone=0): run \
        `sudo sysctl kernel.unprivileged_userns_clone=1`, or hearth as root
        """),
    Cause(
      file: "/proc/sys/user/max_user_namespaces", isSo: { $0 == "0" },
      words: "user namespaces are switched off (user.max_user_namespaces=0)"),
    Cause(
      file: "/proc/sys/user/max_net_namespaces", isSo: { $0 == "0" },
      words: "network namespaces are switched off (user.max_net_namespaces=0)"),
    // 2 is a filter, as `proc(5)` has it. Docker's own filter refuses `unshare`.
    Cause(
      file: "/proc/self/status", isSo: { $0?.contains("Seccomp: 2") == true },
      words: """
        a seccomp filter is at work, as in a container: `docker run --cap-add SYS_ADMIN \
        --security-opt apparmor=unconfined`, or hearth as a container of its own \
        (docker/compose.as-google.yaml)
        """),
  ]
}
