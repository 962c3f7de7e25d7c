/// An emulator of the official suite that is not here.
package struct SuiteMember: Sendable, Equatable {
  package let name: String
  /// The port that it has where `firebase.json` names none; nil where it has that of another one.
  package let port: Int?
  package let needsJava: Bool
  /// What tells SDKs where it is: variables, with what precedes `host:port`.
  let variables: [Variable]

  struct Variable: Sendable, Equatable {
    let name: String
    var prefix = ""
  }

  private init(_ name: String, port: Int?, needsJava: Bool = false, variables: [Variable] = []) {
    self.name = name
    self.port = port
    self.needsJava = needsJava
    self.variables = variables
  }

  /// In the order in which they are shown.
  package static let all = [
    SuiteMember("functions", port: 5001),
    SuiteMember("extensions", port: nil),
    SuiteMember(
      "storage", port: 9199, needsJava: true,
      variables: [
        Variable(name: "FIREBASE_STORAGE_EMULATOR_HOST"),
        Variable(name: "STORAGE_EMULATOR_HOST", prefix: "http://"),
      ]),
    SuiteMember(
      "database", port: 9000, needsJava: true,
      variables: [Variable(name: "FIREBASE_DATABASE_EMULATOR_HOST")]),
    SuiteMember(
      "pubsub", port: 8085, needsJava: true, variables: [Variable(name: "PUBSUB_EMULATOR_HOST")]),
    SuiteMember(
      "eventarc", port: 9299,
      variables: [Variable(name: "CLOUD_EVENTARC_EMULATOR_HOST", prefix: "http://")]),
    SuiteMember("tasks", port: 9499, variables: [Variable(name: "CLOUD_TASKS_EMULATOR_HOST")]),
    SuiteMember("hosting", port: 5000),
    SuiteMember("apphosting", port: 5002),
    SuiteMember("dataconnect", port: 9399),
  ]

  /// The variables of the emulators that run, of `host:port` by their names.
  package static func environment(_ addresses: [String: String]) -> [String: String] {
    var values: [String: String] = [:]
    for member in all {
      guard let address = addresses[member.name] else { continue }
      for variable in member.variables { values[variable.name] = variable.prefix + address }
    }
    return values
  }
}
