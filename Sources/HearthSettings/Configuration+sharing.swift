import HearthSharing
import HearthWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// The variable with the operator's token itself, which has no flag: arguments can be read by all
  /// users of the machine.
  package static let operatorTokenVariable = "HEARTH_OPERATOR_TOKEN"

  /// Takes over the operator's token, and checks what a shared server cannot be combined with.
  package mutating func settleSharing(
    environment: [String: String]
  ) throws(ConfigurationError) {
    guard requiresToken else {
      guard operatorTokenPath == nil else {
        throw ConfigurationError(misuse: "--operator-token-file needs --require-token")
      }
      return
    }
    guard !asGoogle else {
      throw ConfigurationError(misuse: "--require-token cannot be combined with --as-google")
    }
    // It has a project for each token.
    if singleProjectMode == .warning { singleProjectMode = .noWarning }
    var source = Self.operatorTokenVariable
    var token = environment[source].flatMap { $0.isEmpty ? nil : $0 }
    if let path = operatorTokenPath {
      source = path
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw ConfigurationError("--operator-token-file: cannot read \(path)")
      }
      token = String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
    }
    if let token {
      // Without dots: tokens of users have them.
      guard token.utf8.count >= 32, token.utf8.allSatisfy(Self.isOfToken) else {
        throw ConfigurationError(
          "\(source): a token has 32 letters, digits, - and _ or more; "
            + "openssl rand -hex 32 makes one")
      }
      operatorToken = token
    } else {
      operatorToken = TokenHash.makeToken()
      hasMadeOperatorToken = true
    }
  }

  /// A server that lives only as long as one command is not shared.
  package func refuseSharing(for command: String) throws(ConfigurationError) {
    guard !requiresToken else {
      throw ConfigurationError(
        misuse: "--require-token cannot be used with \(command): its server is for one command")
    }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
