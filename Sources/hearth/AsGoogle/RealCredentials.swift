#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What leads a program to real accounts of Google, in the environment and in the home folder.
///
/// None of them is read: what counts is that they are there.
struct RealCredentials {
  /// Variables that hold a credential or name a file with one.
  private static let variables = [
    "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CREDENTIALS", "FIREBASE_TOKEN",
    "FIREBASE_SERVICE_ACCOUNT", "CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN",
    "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE",
  ]
  /// Below the home folder: those of gcloud, and that of the Firebase CLI.
  private static let files = [
    ".config/gcloud/application_default_credentials.json", ".config/gcloud/credentials.db",
    ".config/configstore/firebase-tools.json",
  ]

  /// The environment of this process.
  let inherited: [String: String]
  /// Whether a file exists. Tests replace it.
  var exists: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }

  /// The names of those that are here.
  var found: [String] {
    let files = inherited["HOME"].map { home in
      Self.files.map { "\(home)/\($0)" }.filter(exists)
    }
    return Self.variables.filter { inherited[$0] != nil } + (files ?? [])
  }

  /// What the command does not get to see, besides what is replaced anyway. Nil removes a variable.
  static let removals = Dictionary(
    uniqueKeysWithValues: variables.map { ($0, String?.none) })

  /// A line for each variable of the user that the command gets differently.
  ///
  /// Values are left out, since they may be secrets.
  static func lines(of changes: [String: String?], inherited: [String: String]) -> [String] {
    changes.sorted { $0.key < $1.key }.compactMap { name, value in
      guard let old = inherited[name], old != value else { return nil }
      return value == nil
        ? "as-google: \(name) is hidden from the command"
        : "as-google: \(name) is replaced for the command"
    }
  }
}
