public import Foundation

/// The state of a project's clock.
public struct ProjectClock: Sendable, Equatable {
  /// The project's time.
  public let now: Date
  /// Whether the clock is frozen.
  public let isFrozen: Bool
}

extension HearthClient {
  /// The clock of the project.
  ///
  /// - Returns: the state.
  /// - Throws: ``HearthError``.
  public func clock() async throws -> ProjectClock {
    try await control("GET", "clock", answering: ProjectClock.self)
  }

  /// Moves the clock of the project, so that codes, tokens and sessions expire.
  ///
  /// - Parameter duration: how far; a negative duration moves it back.
  /// - Returns: the new state.
  /// - Throws: ``HearthError``.
  @discardableResult
  public func advanceClock(by duration: Duration) async throws -> ProjectClock {
    let milliseconds = Int64(duration / .milliseconds(1))
    return try await changeClock(["advance": "\(milliseconds)ms"])
  }

  /// Sets the clock of the project.
  ///
  /// - Parameters:
  ///   - time: the project's time from now on.
  ///   - frozen: whether the clock is frozen.
  /// - Returns: the new state.
  /// - Throws: ``HearthError``.
  @discardableResult
  public func setClock(to time: Date, frozen: Bool = false) async throws -> ProjectClock {
    let text = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return try await changeClock(["now": text, "frozen": frozen])
  }

  /// Stops the clock of the project, or lets it go on.
  ///
  /// - Parameter isFrozen: whether the clock is frozen.
  /// - Returns: the new state.
  /// - Throws: ``HearthError``.
  @discardableResult
  public func freezeClock(_ isFrozen: Bool = true) async throws -> ProjectClock {
    try await changeClock(["frozen": isFrozen])
  }

  /// Gives the project the time of the machine again.
  ///
  /// - Throws: ``HearthError``.
  public func resetClock() async throws {
    try await control("DELETE", "clock", answering: Nothing.self)
  }

  private func changeClock(_ body: [String: any Sendable]) async throws -> ProjectClock {
    try await control("PATCH", "clock", body, answering: ProjectClock.self)
  }
}

extension ProjectClock: Decodable {
  private enum CodingKeys: String, CodingKey { case now, frozen }

  /// Reads a clock as the emulator shows it.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if it is not one.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    isFrozen = try members.decode(Bool.self, forKey: .frozen)
    now = try members.time(.now)
  }
}

extension KeyedDecodingContainer {
  /// A time such as `2026-08-21T09:30:00.250Z`.
  func time(_ key: Key) throws -> Date {
    let text = try decode(String.self, forKey: key)
    do {
      return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    } catch {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(error)")
    }
  }
}
