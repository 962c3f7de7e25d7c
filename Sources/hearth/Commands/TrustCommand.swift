import ArgumentParser
import HearthGoogle
import HearthServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `hearth trust`: what clients have to trust, and how. It installs nothing.
struct TrustCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Show how to make programs trust a server's certificates.",
    subcommands: [Export.self])

  func run() { print(Self.text) }

  /// `hearth trust export`: writes the certificate.
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write the certificate that clients of a running server have to trust.",
      usage: "hearth trust export [<options>]",
      discussion: """
        Nothing is installed, and no private key is written. `hearth trust` \
        shows how to give the file to runtimes, browsers and simulators.
        """)

    @Option(help: "pem, der, or p12 for Java (its password is changeit).") var format = "pem"

    @Option(help: "The file to write.", completion: .file()) var output: String?

    @Option(help: "A server's data directory, instead of a running server.") var data: String?

    @Option(help: "The server, as host:port.") var address: String?

    func run() async throws {
      guard let form = TrustFormat(rawValue: format) else {
        let all = TrustFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--format: '\(format)' is not one of \(all)")
      }
      let bytes = try form.encode(try await certificates())
      if let output {
        try Data(bytes).write(to: URL(filePath: output))
      } else {
        OutputFile.standardOutput.write(bytes)
      }
    }

    private func certificates() async throws -> String {
      if let data {
        let path = data + "/tls/ca.pem"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
          throw CommandFailure("no certificate in \(path)")
        }
        return text
      }
      let place = ServerAddress.place(address)
      let client = try LoopbackClient(checking: place)
      guard let reply = try? await client.get("/emulator/v1/ca.pem"), reply.status == 200 else {
        throw ServerAddress.silence(at: place)
      }
      return String(decoding: reply.body, as: UTF8.self)
    }
  }

  private static let text = """
    hearth trust export --output ca.pem writes the certificate of a running server. Give it only to
    the programs that need it; hearth installs nothing. The certificate
    is constrained to the names that the server answers for, and its key never leaves the server.

    Python, Ruby, Go on Linux, Rust, .NET on Linux    SSL_CERT_FILE=ca.pem
    Python requests, google-auth, firebase-admin      REQUESTS_CA_BUNDLE=ca.pem
    curl                                              CURL_CA_BUNDLE=ca.pem, or curl --cacert ca.pem
    Node                                              NODE_EXTRA_CA_CERTS=ca.pem
    Deno                                              DENO_CERT=ca.pem
    gRPC (C core: Python, Ruby, PHP; grpc-js)         GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=ca.pem
    AWS SDKs                                          AWS_CA_BUNDLE=ca.pem
    PHP                                               curl.cainfo and openssl.cafile in a php.ini
    Java (hearth trust export --format p12)           -Djavax.net.ssl.trustStore=ca.p12
                                                      -Djavax.net.ssl.trustStorePassword=changeit

    Chromium and Chrome on Linux, for one profile:
      certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n hearth -i ca.pem
      or start it with the flags in chromium-flags.txt of --trust-out, and with --user-data-dir
    Firefox: Settings, Privacy and Security, View Certificates, Authorities, Import
    iOS simulator: xcrun simctl keychain booted add-root-cert ca.pem
    Android emulator: Settings, Security, Install a certificate (--format der); the app has to trust
      user certificates in its network_security_config
    macOS programs that read only the keychain (Safari, Apple's curl, Go, .NET, URLSession) trust it
      once it is in the keychain. That affects every program, so it is not recommended.

    hearth serve --as-google --trust-out DIR writes all of this for a shell: . DIR/env.sh
    """
}
