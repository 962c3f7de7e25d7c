package import HearthErrors
package import HearthWire

extension Switches {
  /// A switch that is on or off, by the place where it is kept.
  package typealias Toggle = WritableKeyPath<Switches, Bool> & Sendable

  /// One row for each switch: its name on the wire and where it is kept.
  package static var toggles: [(name: String, path: WritableKeyPath<Switches, Bool>)] {
    [
      ("emailEnumerationProtection", \.emailEnumerationProtection),
      ("acceptUnsignedTokens", \.acceptUnsignedTokens),
      ("tokenExpiry", \.tokenExpiry),
      ("codeExpiry", \.codeExpiry),
      ("rateLimits", \.rateLimits),
      ("recentLogin", \.recentLogin),
      ("authorizedDomains", \.authorizedDomains),
      ("strictTenants", \.strictTenants),
      ("strictProviders", \.strictProviders),
      ("strictDevices", \.strictDevices),
      ("silentProviders", \.silentProviders),
      ("providerPages", \.providerPages),
    ]
  }

  /// One row for each settable number.
  package static var numbers: [(name: String, path: WritableKeyPath<Switches, Int64>)] {
    [
      ("passwordResetCodeLifetime", \.passwordResetCodeLifetime),
      ("verificationCodeLifetime", \.verificationCodeLifetime),
      ("emailLinkCodeLifetime", \.emailLinkCodeLifetime),
      ("smsCodeLifetime", \.smsCodeLifetime),
      ("wrongPasswordLimit", \.wrongPasswordLimit),
      ("passwordResetLimit", \.passwordResetLimit),
      ("signUpLimit", \.signUpLimit),
      ("rateLimitWindow", \.rateLimitWindow),
      ("timeToLiveDelay", \.timeToLiveDelay),
    ]
  }

  /// A switch with a few values that have names.
  package struct Choice: Sendable {
    package let name: String
    package let values: [String]
    package let read: @Sendable (Switches) -> String
    /// Nil where no value has the name.
    let write: @Sendable (inout Switches, String) -> Void?

    init<Value: RawRepresentable<String> & CaseIterable & Sendable>(
      _ name: String, path: any WritableKeyPath<Switches, Value> & Sendable
    ) {
      self.name = name
      values = Value.allCases.map(\.rawValue)
      read = { $0[keyPath: path].rawValue }
      write = { switches, text in Value(rawValue: text).map { switches[keyPath: path] = $0 } }
    }
  }

  /// One row for each switch with named values.
  package static var choices: [Choice] {
    [
      Choice("answers", path: \.answers),
      Choice("limits", path: \.limits),
      Choice("indexes", path: \.indexes),
      Choice("timeToLive", path: \.timeToLive),
      Choice("transactions", path: \.transactions),
      Choice("appCheckAuth", path: \.appCheckAuth),
      Choice("appCheckFirestore", path: \.appCheckFirestore),
      Choice("appCheckReplay", path: \.appCheckReplay),
      Choice("appCheckAttestation", path: \.appCheckAttestation),
    ]
  }

  /// Thirty years in seconds, and more attempts than anybody makes.
  private static let largestNumber: Int64 = 1_000_000_000

  package var json: JSON {
    var object = JSONObject()
    for toggle in Self.toggles {
      object.append(toggle.name, value: .bool(self[keyPath: toggle.path]))
    }
    for number in Self.numbers {
      object.append(number.name, value: .int(self[keyPath: number.path]))
    }
    for choice in Self.choices { object.append(choice.name, value: .string(choice.read(self))) }
    object.append("appName", value: .string(appName))
    return .object(object)
  }

  /// Takes over the switches that the object names.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the name of a member that is not a switch or has a wrong type.
  package mutating func update(_ object: JSONObject) throws(APIError) {
    for (name, value) in object.members {
      if let toggle = Self.toggles.first(where: { $0.name == name }) {
        guard let value = value.bool else {
          throw APIError(.invalidArgument, detail: "/\(name) must be boolean")
        }
        self[keyPath: toggle.path] = value
      } else if let number = Self.numbers.first(where: { $0.name == name }) {
        guard case .int(let value) = value, (1...Self.largestNumber).contains(value) else {
          throw APIError(
            .invalidArgument, detail: "/\(name) must be an integer from 1 to \(Self.largestNumber)")
        }
        self[keyPath: number.path] = value
      } else if let choice = Self.choices.first(where: { $0.name == name }) {
        guard value.string.flatMap({ choice.write(&self, $0) }) != nil else {
          throw APIError(
            .invalidArgument,
            detail: "/\(name) must be one of \(choice.values.joined(separator: ", "))")
        }
      } else if name == "appName" {
        guard let text = value.string, Self.isName(text) else {
          throw APIError(
            .invalidArgument, detail: "/appName must be a line of at most 100 characters")
        }
        appName = text
      } else {
        throw APIError(.invalidArgument, detail: "unknown switch '\(name)'\(Self.advice(on: name))")
      }
    }
  }

  private static func advice(on name: String) -> String {
    let known = toggles.map(\.name) + numbers.map(\.name) + choices.map(\.name) + ["appName"]
    let near = known.advice(on: name)
    return near.isEmpty ? "; the switches are \(known.joined(separator: ", "))" : near
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 400 && text.count <= 100
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
  }
}
