/// A device that gets push messages.
public struct PushDevice: Sendable, Equatable, Decodable {
  /// What the device runs.
  public enum Platform: String, Sendable, Decodable {
    /// A phone with Android.
    case android
    /// An iPhone, an iPad, or its simulator.
    case ios
    /// A browser.
    case web
  }

  /// What a send to the device ends with.
  public enum State: String, Sendable, Decodable {
    /// The message arrives.
    case registered
    /// The app is gone: `UNREGISTERED`.
    case unregistered
    /// The token is of another sender: `SENDER_ID_MISMATCH`.
    case senderIdMismatch
    /// Too many messages: `QUOTA_EXCEEDED`.
    case quotaExceeded
    /// APNs or the push service of a browser refuses: `THIRD_PARTY_AUTH_ERROR`.
    case thirdPartyAuthError
    /// The token is not one: `INVALID_ARGUMENT`.
    case invalidArgument
    /// The service is down: `UNAVAILABLE`.
    case unavailable
    /// The service fails: `INTERNAL`.
    case internalError
  }

  /// What messages are sent to.
  public let token: String
  /// The installation of the app.
  public let fid: String
  /// What the device runs.
  public let platform: Platform
  /// What a send to it ends with.
  public let state: State
  /// The topics that it subscribed to.
  public let topics: [String]
  /// What the test calls it.
  public let name: String?
  /// The language in which it shows localisation keys; nil for the project's.
  public let language: String?
}

extension HearthClient {
  /// Registers a device, or changes the one with the token.
  ///
  /// ```swift
  /// let phone = try await hearth.registerDevice(platform: .ios, topics: ["news"])
  /// ```
  ///
  /// - Parameters:
  ///   - token: its token; nil for a new one.
  ///   - platform: what it runs; nil for Android, or what it ran before.
  ///   - state: what a send to it ends with; nil for `registered`, or what it was before.
  ///   - topics: the topics that it subscribes to; nil for those of before.
  ///   - name: what the mailbox calls it.
  ///   - language: what it shows localisation keys in, such as `de`; nil for the project's language,
  ///     or that of before.
  /// - Returns: the device.
  /// - Throws: ``HearthError``.
  @discardableResult
  public func registerDevice(
    token: String? = nil, platform: PushDevice.Platform? = nil, state: PushDevice.State? = nil,
    topics: [String]? = nil, name: String? = nil, language: String? = nil
  ) async throws -> PushDevice {
    var body: [String: any Sendable] = [:]
    body["token"] = token
    body["platform"] = platform?.rawValue
    body["state"] = state?.rawValue
    body["topics"] = topics
    body["name"] = name
    body["language"] = language
    return try await control("POST", "devices", body, answering: PushDevice.self)
  }

  /// The newest push message to a target; waits for one if there is none.
  ///
  /// - Parameters:
  ///   - target: a token, an installation, `topic:` and a name, or a condition.
  ///   - last: only messages that are newer than this one.
  ///   - patience: how long to wait, five minutes at most.
  /// - Returns: the message.
  /// - Throws: ``HearthError``, with `NOT_FOUND` and what arrived instead.
  public func waitForPush(
    to target: String, after last: Mail? = nil, within patience: Duration = .seconds(10)
  ) async throws -> Mail {
    try await awaited(.push, to: target, after: last, within: patience)
  }

  /// The newest text message to a number whose code works; waits for one if there is none.
  ///
  /// - Parameters:
  ///   - number: the number, such as `+491701234567`.
  ///   - last: only messages that are newer than this one.
  ///   - patience: how long to wait, five minutes at most.
  /// - Returns: the message.
  /// - Throws: ``HearthError``, with `NOT_FOUND` and what arrived instead.
  public func waitForSMS(
    to number: String, after last: Mail? = nil, within patience: Duration = .seconds(10)
  ) async throws -> Mail {
    try await awaited(.sms, to: number, after: last, within: patience)
  }
}
