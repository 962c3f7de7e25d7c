import HTTPTypes
import HearthCrypto
import HearthErrors
import HearthSettings
import HearthTLS
import HearthTime
import HearthTransport
import HearthWire

/// The authority that phones trust on the local network, with `--lan --tls`.
struct PhoneAuthority {
  static let profilePath = "/setup/hearth-ca.mobileconfig"
  static let certificatePath = "/setup/hearth-ca.crt"

  /// What it can issue certificates for.
  let names: [String]
  let end: Timestamp
  let fingerprint: String
  /// The certificate.
  let der: [UInt8]

  /// A profile for devices of Apple. Its ids follow from the certificate: installed again, it takes its
  /// own place.
  var profile: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>PayloadContent</key>
      <array>
        <dict>
          <key>PayloadCertificateFileName</key>
          <string>hearth-ca.crt</string>
          <key>PayloadContent</key>
          <data>\(Base64.encode(der))</data>
          <key>PayloadDisplayName</key>
          <string>Hearth throw-away CA</string>
          <key>PayloadIdentifier</key>
          <string>hearth.local.ca.certificate</string>
          <key>PayloadType</key>
          <string>com.apple.security.root</string>
          <key>PayloadUUID</key>
          <string>\(id(0))</string>
          <key>PayloadVersion</key>
          <integer>1</integer>
        </dict>
      </array>
      <key>PayloadDescription</key>
      <string>Trusts certificates of Hearth for \(names.joined(separator: ", ")), until \
    \(end.iso8601). For tests only.</string>
      <key>PayloadDisplayName</key>
      <string>Hearth on the local network</string>
      <key>PayloadIdentifier</key>
      <string>hearth.local.ca</string>
      <key>PayloadType</key>
      <string>Configuration</string>
      <key>PayloadUUID</key>
      <string>\(id(1))</string>
      <key>PayloadVersion</key>
      <integer>1</integer>
    </dict>
    </plist>

    """
  }

  /// In the form of a UUID.
  private func id(_ number: UInt8) -> String {
    let digits = String(
      decoding: Digest.sha256.hash(der + [number]).hexDigits.prefix(32), as: UTF8.self
    ).uppercased()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }.joined(separator: "-")
  }
}

/// What the set-up pages of phones work with.
struct PhoneSetup: ServerParts {
  let network: ServerNetwork
  let overview: Overview

  static func parts(of server: ServerContext) -> PhoneSetup {
    PhoneSetup(network: server.network, overview: server.overview)
  }

  /// Nil where phones have nothing to trust, or where the user has a certificate of their own.
  func phoneAuthority() throws(TLSError) -> PhoneAuthority? {
    guard overview.configuration.offersAuthorityToPhones else { return nil }
    let trusted = try TrustedCertificates(pem: try network.trust.certificates.authorityPEM())
    guard let end = network.trust.certificates.end else { return nil }
    return PhoneAuthority(
      names: network.trust.certificates.names, end: end, fingerprint: try trusted.fingerprint(),
      der: try trusted.der())
  }
}

/// The authority as a profile for iOS. The set-up page links to it.
enum GetSetupProfile: ServerOperation {
  static func run(
    _ request: ServerRequest, with setup: PhoneSetup
  ) async throws -> OutgoingReply {
    let authority = try setup.offered(to: request)
    return ReplyWriter.text(authority.profile, contentType: "application/x-apple-aspen-config")
  }
}

/// The authority as a certificate for Android.
enum GetSetupCertificate: ServerOperation {
  static func run(
    _ request: ServerRequest, with setup: PhoneSetup
  ) async throws -> OutgoingReply {
    let authority = try setup.offered(to: request)
    var reply = OutgoingReply(status: 200, body: authority.der)
    reply.headers[.contentType] = "application/x-x509-ca-cert"
    return reply
  }
}

extension PhoneSetup {
  fileprivate func offered(to request: ServerRequest) throws -> PhoneAuthority {
    guard request.call.servedPort.kind == .console, let authority = try phoneAuthority()
    else { throw APIError(.routeNotFound) }
    return authority
  }
}
