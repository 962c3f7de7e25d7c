import HearthErrors
import HearthOperations
import HearthWire

/// The devices that a message reaches.
struct PushAudience {
  /// Those that are registered and get it.
  var reached: [PushDevice] = []
  /// Tokens of the target that no test registered.
  var unknown: [String] = []
  /// How many there are in all, where the lists are cut.
  var count = 0

  static let mostListed = 100

  /// What all of the devices run; nil where they differ, or one is not known.
  var platform: PushDevice.Platform? {
    guard let first = reached.first, unknown.isEmpty else { return nil }
    return reached.allSatisfy { $0.platform == first.platform } ? first.platform : nil
  }

  /// What all of the devices have; nil where they differ, or the project's language counts.
  var language: LanguageTag? {
    guard let first = reached.first?.language, unknown.isEmpty else { return nil }
    return reached.allSatisfy { $0.language == first } ? first : nil
  }

  /// The languages of devices that see other texts than the rest, with what runs there.
  var otherLanguages: [(language: LanguageTag, platform: PushDevice.Platform?)] {
    guard language == nil else { return [] }
    let devices = Dictionary(grouping: reached, by: \.language)
    return devices.compactMap { language, devices in
      guard let language else { return nil }
      return (language, PushAudience(reached: devices).platform)
    }.sorted { $0.0.text < $1.0.text }
  }

  /// - Throws: production's error where the one device of the target does not take messages.
  static func of(_ message: PushMessage, in project: ProjectTransaction) throws(APIError)
    -> PushAudience
  {
    switch message.target {
    case .fid(let id): try one(id, isInstallation: true, in: project)
    case .token(let token): try one(token, isInstallation: false, in: project)
    case .topic(let name): try subscribers(of: [name], in: project) { _ in true }
    case .condition:
      try subscribers(of: message.condition?.topics ?? [], all: true, in: project) {
        message.condition?.holds(for: $0) ?? false
      }
    }
  }

  private static func one(
    _ registration: String, isInstallation: Bool, in project: ProjectTransaction
  ) throws(APIError) -> PushAudience {
    guard registration.utf8.count <= PushDevices.longestToken else { throw .invalidToken }
    if let device = try PushDevices(in: project).device(registration) {
      if let refusal = device.refusal { throw refusal }
      return PushAudience(reached: [device], count: 1)
    }
    if isInstallation, try Installations(in: project).installation(registration)?.isDeleted == true
    {
      throw APIError(.unregistered)
    }
    if try project.switches().strictDevices {
      let isFormed =
        isInstallation || TokenForm.isToken(registration)
        || TokenForm.isInstallation(registration)
      throw isFormed ? APIError(.unregistered) : .invalidToken
    }
    return PushAudience(unknown: [registration], count: 1)
  }

  private static func subscribers(
    of topics: [String], all: Bool = false, in project: ProjectTransaction,
    where holds: (Set<String>) -> Bool
  ) throws(APIError) -> PushAudience {
    let devices = PushDevices(in: project)
    let subscribed = try devices.subscribers(of: topics)
    // A condition may hold for a device without any of the topics.
    let tokens = all && holds([]) ? try devices.tokensOfDevices() : Array(subscribed.keys)
    var audience = PushAudience()
    for token in tokens.sorted() where holds(subscribed[token] ?? []) {
      let device = try devices.device(token)
      guard device == nil || device?.state == .registered else { continue }
      audience.count += 1
      guard audience.reached.count + audience.unknown.count < mostListed else { continue }
      if let device { audience.reached.append(device) } else { audience.unknown.append(token) }
    }
    return audience
  }

  var json: JSON {
    .array(
      reached.map {
        .members([
          "token": .string($0.token), "platform": .string($0.platform.rawValue),
          "name": $0.name.map(JSON.string), "language": $0.language.map { .string($0.text) },
          "registered": true,
        ])
      } + unknown.map { .members(["token": .string($0), "registered": false]) })
  }
}
