import Foundation

/// A refusal of the emulator, or a failure to reach it.
public struct HearthError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error's code, such as `EMAIL_EXISTS`. `UNREACHABLE` without an answer, and
  /// `UNEXPECTED_ANSWER` when the answer is not one of Hearth.
  public let code: String
  /// The whole message: the code, and often a detail after ` : `.
  public let message: String
  /// The status of the HTTP answer; 0 when there was none.
  public let httpStatus: Int

  /// A line for a test's log.
  public var description: String { "\(httpStatus) \(message)" }

  package init(code: String, message: String, httpStatus: Int) {
    self.code = code
    self.message = message
    self.httpStatus = httpStatus
  }

  /// Reads the envelope of Google's APIs.
  init(_ answer: Data, _ httpStatus: Int) {
    struct Envelope: Decodable {
      struct Body: Decodable {
        let message: String
        let status: String?
      }
      let error: Body
    }
    guard let refusal = try? JSONDecoder().decode(Envelope.self, from: answer).error else {
      self.init(
        code: "UNEXPECTED_ANSWER", message: "HTTP status \(httpStatus) without an error",
        httpStatus: httpStatus)
      return
    }
    let word = refusal.message.components(separatedBy: " : ")[0]
    let isCode = word.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    self.init(
      code: isCode ? word : refusal.status ?? word, message: refusal.message,
      httpStatus: httpStatus)
  }
}
