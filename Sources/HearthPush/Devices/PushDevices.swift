import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

/// The devices of a project, and what they subscribed to.
struct PushDevices: ProjectSubject {
  let project: ProjectTransaction

  init(in project: ProjectTransaction) { self.project = project }

  static let most = 20_000
  static let mostTopics = 2_000
  static let mostSubscriptions = 200_000
  static let longestToken = 4_096

  private static let columns = "token, fid, platform, state, name, language, created_at"

  /// The device of a token, or of an installation.
  func device(_ registration: String) throws(APIError) -> PushDevice? {
    let found = try transaction.first(
      """
      SELECT \(Self.columns) FROM push_devices WHERE project = ? AND token = ?
      UNION ALL SELECT \(Self.columns) FROM push_devices WHERE project = ? AND fid = ?
      LIMIT 1
      """,
      arguments: [projectId, registration, projectId, registration], read: PushDevice.init(row:))
    guard var device = found else { return nil }
    device.topics = try topics(of: device.token)
    return device
  }

  func all(limit: Int) throws(APIError) -> [PushDevice] {
    var devices = try transaction.all(
      """
      SELECT \(Self.columns) FROM push_devices WHERE project = ? ORDER BY created_at, token LIMIT ?
      """,
      arguments: [projectId, limit], read: PushDevice.init(row:))
    for index in devices.indices { devices[index].topics = try topics(of: devices[index].token) }
    return devices
  }

  func count() throws(APIError) -> Int {
    try transaction.count(
      "SELECT COUNT(*) FROM push_devices WHERE project = ?", arguments: [projectId])
  }

  /// Writes a device, and its topics in place of the earlier ones.
  func save(_ device: PushDevice, at now: Timestamp) throws(APIError) {
    guard device.token.utf8.count <= Self.longestToken else {
      throw APIError(.invalidArgument, detail: "a token has at most \(Self.longestToken) bytes")
    }
    if try self.device(device.token) == nil, try count() >= Self.most {
      throw APIError(.resourceExhausted, detail: "a project has at most \(Self.most) devices")
    }
    try transaction.execute(
      """
      INSERT OR REPLACE INTO push_devices (project, \(Self.columns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, device.token, device.fid, device.platform.rawValue, device.state.rawValue,
        device.name, device.language?.text, device.createdAt.milliseconds,
      ])
    try transaction.execute(
      "DELETE FROM push_topics WHERE project = ? AND token = ?",
      arguments: [projectId, device.token])
    if !device.topics.isEmpty { try checkRoom(for: device.topics.count) }
    for topic in device.topics { try subscribe(device.token, to: topic, at: now) }
    publish("device.changed", members: .object(device.json))
  }

  /// Whether there was such a device. From then on its token is as unknown as any other.
  func delete(_ registration: String) throws(APIError) -> Bool {
    guard let device = try device(registration) else { return false }
    for table in ["push_devices", "push_topics"] {
      try transaction.execute(
        "DELETE FROM \(table) WHERE project = ? AND token = ?",
        arguments: [projectId, device.token])
    }
    publish("device.deleted", members: .members(["token": .string(device.token)]))
    return true
  }

  func deleteAll() throws(APIError) {
    for table in ["push_devices", "push_topics"] {
      try transaction.execute("DELETE FROM \(table) WHERE project = ?", arguments: [projectId])
    }
  }

  // MARK: Topics

  func topics(of token: String) throws(APIError) -> [String] {
    try transaction.all(
      "SELECT topic FROM push_topics WHERE project = ? AND token = ? ORDER BY topic",
      arguments: [projectId, token]
    ) { $0[0] as String }
  }

  /// Tokens that nobody registered may subscribe too: without a bound they fill the memory.
  func checkRoom(for count: Int = 1) throws(APIError) {
    let known = try transaction.count(
      "SELECT subscriptions FROM push_topic_counts WHERE project = ?", arguments: [projectId])
    guard known + count <= Self.mostSubscriptions else {
      throw APIError(
        .resourceExhausted,
        message: "A project has at most \(Self.mostSubscriptions) subscriptions to topics.")
    }
  }

  /// Whether it had not subscribed before.
  @discardableResult
  func subscribe(
    _ token: String, to topic: String, at now: Timestamp
  ) throws(APIError) -> Bool {
    let known = try transaction.count(
      "SELECT COUNT(*) FROM push_topics WHERE project = ? AND token = ?",
      arguments: [projectId, token])
    guard known < Self.mostTopics else {
      throw APIError(.resourceExhausted, message: "TOO_MANY_TOPICS")
    }
    try transaction.execute(
      """
      INSERT OR IGNORE INTO push_topics (project, topic, token, created_at) VALUES (?, ?, ?, ?)
      """,
      arguments: [projectId, topic, token, now.milliseconds])
    return transaction.changedRows > 0
  }

  /// Whether it had subscribed.
  func unsubscribe(_ token: String, from topic: String) throws(APIError) -> Bool {
    try transaction.execute(
      "DELETE FROM push_topics WHERE project = ? AND topic = ? AND token = ?",
      arguments: [projectId, topic, token])
    return transaction.changedRows > 0
  }

  func subscriptions(of token: String) throws(APIError) -> [(topic: String, time: Timestamp)] {
    try transaction.all(
      "SELECT topic, created_at FROM push_topics WHERE project = ? AND token = ? ORDER BY topic",
      arguments: [projectId, token]
    ) { (topic: $0[0] as String, time: Timestamp(milliseconds: $0[1])) }
  }

  /// The tokens that subscribed to any of the topics, each with those of them that it subscribed to.
  func subscribers(of topics: [String]) throws(APIError) -> [String: Set<String>] {
    var subscribers: [String: Set<String>] = [:]
    for topic in Set(topics) {
      let tokens = try transaction.all(
        "SELECT token FROM push_topics WHERE project = ? AND topic = ?",
        arguments: [projectId, topic]
      ) { $0[0] as String }
      for token in tokens { subscribers[token, default: []].insert(topic) }
    }
    return subscribers
  }

  /// All tokens that subscribed to anything: what a condition with `!` may mean.
  func tokensOfDevices() throws(APIError) -> [String] {
    try transaction.all(
      """
      SELECT token FROM push_devices WHERE project = ?
      UNION SELECT token FROM push_topics WHERE project = ?
      """,
      arguments: [projectId, projectId]
    ) { $0[0] as String }
  }
}

extension PushDevice {
  fileprivate init(row: ResultRow) {
    self.init(
      token: row[0], fid: row[1], platform: Platform(rawValue: row[2]) ?? .android,
      state: State(rawValue: row[3]) ?? .registered, name: row[4],
      language: (row[5] as String?).flatMap(LanguageTag.init),
      createdAt: Timestamp(milliseconds: row[6]))
  }
}
