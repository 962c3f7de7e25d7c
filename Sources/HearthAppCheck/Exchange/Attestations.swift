import HearthOperations
package import HearthWire

/// The secret of a debug build.
package enum ExchangeDebugToken: AttestationExchange {
  package static let config: String? = nil
  package static let fields = ["debugToken"]
}

package enum ExchangeRecaptchaV3Token: AttestationExchange {
  package static let config: String? = "recaptchaV3Config"
  package static let fields = ["recaptchaV3Token"]
}

package enum ExchangeRecaptchaEnterpriseToken: AttestationExchange {
  package static let config: String? = "recaptchaEnterpriseConfig"
  package static let fields = ["recaptchaEnterpriseToken"]
}

package enum ExchangeDeviceCheckToken: AttestationExchange {
  package static let config: String? = "deviceCheckConfig"
  package static let fields = ["deviceToken"]
}

package enum ExchangePlayIntegrityToken: AttestationExchange {
  package static let config: String? = "playIntegrityConfig"
  package static let fields = ["playIntegrityToken"]
}

package enum ExchangeSafetyNetToken: AttestationExchange {
  package static let config: String? = "safetyNetConfig"
  package static let fields = ["safetyNetToken"]
}

/// The first exchange of a device: it gets an artifact too, which later ones bring.
package enum ExchangeAppAttestAttestation: AttestationExchange {
  package static let config: String? = "appAttestConfig"
  package static let fields = ["attestationStatement", "challenge", "keyId"]

  package static func answer(_ token: JSON) -> JSONObject {
    let artifact = Base64.encode(Array("an artifact of Hearth's".utf8))
    return JSONObject(["artifact": .string(artifact), "appCheckToken": token])
  }
}

package enum ExchangeAppAttestAssertion: AttestationExchange {
  package static let config: String? = "appAttestConfig"
  package static let fields = ["assertion", "artifact", "challenge"]
}
