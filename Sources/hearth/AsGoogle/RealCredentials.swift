import HearthGoogle
import HearthServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What leads a program to real accounts of Google, in the environment and in the home folder.
///
/// Files are not read, and values are looked at only to see whether they are keys: what counts is that
/// they are there.
struct RealCredentials {
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
    let named = ["GOOGLE_APPLICATION_CREDENTIALS"] + TrustFolder.credentials
    return named.filter { inherited[$0] != nil } + keys.filter { !named.contains($0) }
      + (files ?? [])
  }

  /// The variables that hold a key of Google's, whatever their names are.
  private var keys: [String] {
    inherited.filter { Self.isKey($0.value) }.map(\.key).sorted()
  }

  /// What the command does not get to see, besides what is replaced anyway. Nil removes a variable.
  var removals: [String: String?] {
    var changes = Dictionary(uniqueKeysWithValues: keys.map { ($0, String?.none) })
    for (name, value) in Self.secrets where inherited[name] != nil {
      changes.updateValue(value, forKey: name)
    }
    return changes
  }

  /// Secrets that lead elsewhere. SDKs for SES want keys, and any is right here; the relay is this
  /// program's, and its URL has a password.
  private static let secrets: [String: String?] = [
    "AWS_ACCESS_KEY_ID": "hearth", "AWS_SECRET_ACCESS_KEY": "hearth", "AWS_SESSION_TOKEN": nil,
    "HEARTH_SMTP_RELAY": nil,
  ]

  /// Whether a text is a file of credentials: JSON with one of their types, as it is or in base64.
  private static func isKey(_ value: String) -> Bool {
    let text = value.drop(while: \.isWhitespace)
    if text.hasPrefix("{") { return isKey(json: text.utf8) }
    // `{"` and `{` with a blank or a line end, in base64.
    guard ["eyJ", "eyA", "ewo", "ew0"].contains(String(text.prefix(3))),
      let data = Data(base64Encoded: String(text), options: .ignoreUnknownCharacters)
    else { return false }
    return isKey(json: data)
  }

  private static func isKey(json: some Collection<UInt8>) -> Bool {
    let found = try? JSONDecoder().decode(CredentialFile.self, from: Data(json))
    return found.map { types.contains($0.type) } ?? false
  }

  private static let types = [
    "service_account", "authorized_user", "external_account", "impersonated_service_account",
  ]

  private struct CredentialFile: Decodable {
    let type: String
  }

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
