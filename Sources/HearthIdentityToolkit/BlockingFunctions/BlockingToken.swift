import HearthCrypto
import HearthOperations
import HearthTime
import HearthWire

/// The unsigned token in which a blocking function gets the user and the sign-in.
struct BlockingToken {
  let event: BlockingEvent
  let user: User
  let facts: BlockingFacts
  let function: FunctionsEmulator.Function

  func claims(project: String, _ context: Context) -> JSONObject {
    var claims = Self.envelope(event, to: function, project: project, context: context)
    let members = JSONObject([
      "sub": .string(user.localId),
      "user_record": userRecord,
      "sign_in_method": .string(facts.signInMethod),
      "sign_in_second_factor": facts.secondFactor.json,
      "sign_in_attributes": facts.signInAttributes.map { .string($0.text) },
      "raw_user_info": facts.rawUserInfo.json,
      "tenant_id": user.tenantId.json,
    ])
    for (name, value) in members.members { claims.append(name, value: value) }
    let forwards = function.forwards
    if forwards["accessToken"]?.isTruthy == true, let token = facts.oauthAccessToken {
      claims.append("oauth_access_token", value: .string(token))
      if let secret = facts.oauthTokenSecret {
        claims.append("oauth_token_secret", value: .string(secret))
      }
      if let seconds = facts.oauthExpiresIn {
        claims.append("oauth_expires_in", value: .int(seconds))
      }
    }
    if forwards["idToken"]?.isTruthy == true, let token = facts.oauthIDToken {
      claims.append("oauth_id_token", value: .string(token))
    }
    if forwards["refreshToken"]?.isTruthy == true, let token = facts.oauthRefreshToken {
      claims.append("oauth_refresh_token", value: .string(token))
    }
    return claims
  }

  /// What the token of each event has.
  static func envelope(
    _ event: BlockingEvent, to function: FunctionsEmulator.Function, project: String,
    context: Context
  ) -> JSONObject {
    JSONObject([
      "iss": .string("https://securetoken.google.com/\(project)"),
      "aud": .string(function.url),
      "iat": .int(context.now.seconds),
      "exp": .int(context.now.seconds + 600),
      "event_id": .string(context.random.base64URL(16)),
      "event_type": .string(event.rawValue),
      "user_agent": .string(context.userAgent ?? "NotYetSupportedInFirebaseAuthEmulator"),
      "ip_address": .string(context.remoteAddress.isEmpty ? "127.0.0.1" : context.remoteAddress),
      "locale": .string(context.locale ?? "en"),
    ])
  }

  private var userRecord: JSON {
    .members([
      "uid": .string(user.localId),
      "email": user.email.json,
      "email_verified": user.emailVerified.json,
      "display_name": user.displayName.json,
      "photo_url": user.photoUrl.json,
      "disabled": user.disabled.json,
      "phone_number": user.phoneNumber.json,
      "custom_claims": user.customClaims,
      "tenant_id": user.tenantId.json,
      "provider_data": .array((user.providerUserInfo ?? []).map(Self.provider)),
      "multi_factor": user.mfaInfo.map {
        .members(["enrolled_factors": .array($0.map(Self.factor))])
      },
      "metadata": metadata,
    ])
  }

  private static func provider(_ provider: ProviderUserInfo) -> JSON {
    .members([
      "provider_id": .string(provider.providerId),
      "display_name": provider.displayName.json,
      "photo_url": provider.photoUrl.json,
      "email": provider.email.json,
      "uid": provider.rawId.json,
      "phone_number": provider.phoneNumber.json,
    ])
  }

  private static func factor(_ factor: MfaEnrollment) -> JSON {
    .members([
      "uid": .string(factor.mfaEnrollmentId),
      "display_name": factor.displayName.json,
      "enrollment_time": factor.enrolledAt.json,
      "phone_number": factor.number.json,
      "factor_id": factor.isTotp ? "totp" : "phone",
    ])
  }

  /// Milliseconds, as numbers.
  private var metadata: JSON? {
    let times = JSONObject([
      "last_sign_in_time": (user.lastLoginAt?.number).map(JSON.int),
      "creation_time": (user.createdAt?.number).map(JSON.int),
    ])
    return times.isEmpty ? nil : .object(times)
  }
}

extension User {
  /// The parsed `customAttributes`; `{}` if there are none.
  var customClaims: JSON {
    guard let text = customAttributes.nonEmpty, let claims = try? JSON.parse(text) else {
      return .object(JSONObject())
    }
    return claims
  }
}
