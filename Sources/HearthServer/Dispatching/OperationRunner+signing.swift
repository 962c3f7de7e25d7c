import HearthErrors
import HearthOperations
import HearthTokens
import HearthWire
import Logging

/// Tokens are signed when what they stand for has been written: the store serves one transaction at
/// a time, and none should wait for a signature.
extension OperationRunner {
  /// Returns when there is a key that signs. Throws where none can be made, and says why in the log
  /// only: the reason may name files of this machine.
  func waitForKey() async throws(APIError) {
    do {
      try await keys.waitUntilReady()
    } catch {
      if !(error is CancellationError) { logger.error("No token can be signed: \(error)") }
      throw APIError(.internalError, detail: "no token can be signed; the server's log says why")
    }
  }

  /// Puts the signed token into the members of the answer that have to hold it. An answer without a
  /// token is returned as it is.
  func sign(_ answer: Answer, mode: TokenMode) async throws(APIError) -> Answer {
    guard let pending = answer.sign, case .json(var object) = answer.body else { return answer }
    let token: String
    do {
      token =
        switch mode {
        case .none: JWT.unsigned(pending.claims)
        case .rs256:
          try JWT.signed(
            pending.claims, by: try await keys.current(), omittingType: answer.omitsTokenType)
        }
    } catch {
      throw APIError(.internalError, detail: "\(error)")
    }
    for member in pending.members { object[member] = .string(token) }
    var answer = answer
    answer.body = .json(object)
    return answer
  }
}

extension Outcome {
  /// Whether a token is part of it. Work that goes on elsewhere does not wait for a key: most of it
  /// is never signed, and what is takes a step of its own in the end.
  var isSigned: Bool {
    if case .answer(let answer) = self { answer.sign != nil } else { false }
  }
}
