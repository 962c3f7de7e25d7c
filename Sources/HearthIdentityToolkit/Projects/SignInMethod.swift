import HearthErrors
import HearthOperations
import HearthWire

/// A way to sign in that the configuration of a project or a tenant can switch off.
enum SignInMethod: Sendable {
  case password, emailLink, anonymous, phone
}

extension ProjectTransaction {
  /// Whether the project, or the tenant, lets clients sign in that way. What a project's
  /// configuration does not mention is on.
  func allows(_ method: SignInMethod) throws(APIError) -> Bool {
    guard let tenant = try tenant() else { return try settings().allows(method) }
    return switch method {
    case .password: tenant.allowsPasswordSignup
    case .emailLink: tenant.allowsEmailLinkSignin
    case .anonymous: tenant.allowsAnonymousUser
    // A tenant has no switch of its own.
    case .phone: try settings().allows(.phone)
    }
  }
}

extension ProjectSettings {
  fileprivate func allows(_ method: SignInMethod) -> Bool {
    guard let signIn = config["signIn"]?.object else { return true }
    return switch method {
    case .password: Self.isOn(signIn["email"])
    case .emailLink: Self.isOn(signIn["email"]) && signIn["email"]?["passwordRequired"] != true
    case .anonymous: Self.isOn(signIn["anonymous"])
    case .phone: Self.isOn(signIn["phoneNumber"])
    }
  }

  /// A mask of production clears a member to null, which stands for false.
  private static func isOn(_ method: JSON?) -> Bool {
    let enabled = method?["enabled"]
    return method != .null && enabled != false && enabled != .null
  }

  /// The members of a full update that switch a way to sign in off. What has no effect is not kept.
  static func switchedOff(in signIn: JSON?) -> JSONObject {
    var kept = JSONObject()
    for name in ["email", "phoneNumber", "anonymous"] {
      let off = JSONObject([
        "enabled": signIn?[name]?["enabled"] == false ? false : nil,
        "passwordRequired": signIn?[name]?["passwordRequired"] == true ? true : nil,
      ])
      if !off.isEmpty { kept[name] = .object(off) }
    }
    return kept
  }
}
