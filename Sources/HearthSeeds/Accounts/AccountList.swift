package import HearthErrors
import HearthExports
import HearthIdentityToolkit
package import HearthOperations
package import HearthSQLite
import HearthWire

/// The accounts of a project in a file, as `firebase auth:export` writes it.
/// https://firebase.google.com/docs/cli/auth#auth-export
package struct AccountList: Sendable {
  private static let pageSize = 250

  private let store: Store
  private let server: ServerFacts
  private let projectId: String

  package init(store: Store, server: ServerFacts, projectId: String) {
    self.store = store
    self.server = server
    self.projectId = projectId
  }

  package enum Format: String, Sendable, CaseIterable {
    case csv, json

    /// What is named, else what the file's name ends in.
    package init(_ name: String?, of file: String) throws(APIError) {
      let ending = Self.allCases.first { file.hasSuffix(".\($0.rawValue)") }
      guard let format = name.map({ Self(rawValue: $0.lowercased()) }) ?? ending else {
        throw APIError(
          .invalidArgument,
          detail: name == nil
            ? "/file must end with .csv or .json, or /format must say which it is"
            : "/format must be csv or json")
      }
      self = format
    }
  }

  /// Writes the file page by page, so that memory does not grow with the number of accounts.
  ///
  /// - Returns: how many they are.
  package func write(to path: String, as format: Format) throws -> Int {
    let file = try FileWriter(path)
    if format == .json { try file.write(#"{"users": [\#n"#.utf8) }
    var count = 0
    var last = ""
    while true {
      let users = try store.transaction { transaction throws(APIError) in
        let project = ProjectTransaction(
          transaction, projectId: projectId, tenantId: nil, server: server)
        return try Accounts(in: project).users(after: last, limit: Self.pageSize)
      }
      for user in users {
        let wire = user.wire(for: .admin)
        switch format {
        case .csv: try file.write(AuthExportCSV.line(of: wire).utf8)
        case .json:
          if count > 0 { try file.write(",\n".utf8) }
          try file.write(Self.listed(wire).prettyBytes)
        }
        count += 1
      }
      guard users.count == Self.pageSize, let next = users.last?.localId else { break }
      last = next
    }
    if format == .json { try file.write("]}".utf8) }
    try file.close()
    return count
  }

  private static let members = [
    "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl",
    "lastLoginAt", "createdAt", "phoneNumber", "disabled", "customAttributes", "mfaInfo",
  ]
  private static let providerMembers = ["providerId", "rawId", "email", "displayName", "photoUrl"]

  /// The user with the members of the official list, in its order.
  private static func listed(_ user: JSON) -> JSON {
    var listed = JSONObject()
    for name in members {
      guard let value = user[name] else { continue }
      switch name {
      case "passwordHash", "salt":
        listed.append(name, value: .string((value.string ?? "").plainBase64))
      case "lastLoginAt": listed.append("lastSignedInAt", value: value)
      default: listed.append(name, value: value)
      }
    }
    guard let entries = user["providerUserInfo"]?.array else { return .object(listed) }
    let known = AuthExportCSV.providers.map(\.1)
    let shown = entries.filter { known.contains($0["providerId"]?.string ?? "") }.map { entry in
      var object = JSONObject()
      for name in providerMembers {
        if let value = entry[name] { object.append(name, value: value) }
      }
      return JSON.object(object)
    }
    listed.append("providerUserInfo", value: .array(shown))
    return .object(listed)
  }
}
