package import HearthErrors
import HearthFirestoreProtos
import HearthFirestoreRules
import HearthLimits
import HearthOperations
import HearthWire
import SwiftProtobuf

extension Firestore {
  /// Whether a project answers as production does where the official emulator answers otherwise.
  package func answersAsProduction(_ project: String) -> Bool {
    switches(project).answers == .production
  }

  func ruleAnswers(of project: String) -> RuleAnswers {
    answersAsProduction(project) ? .production : .emulator
  }

  /// A refusal in production's words, for a project that answers so.
  package func worded(_ error: APIError, for project: String) -> APIError {
    answersAsProduction(project) ? ProductionWording.translate(error) : error
  }

  /// The same over gRPC, where only production's refusals have details.
  package func wordedForGRPC(_ error: APIError, for project: String) -> APIError {
    answersAsProduction(project) ? ProductionWording.translate(error) : error.with()
  }
}

extension Firestore {
  /// Pipelines are not served. Production serves them in another edition of its databases.
  package func pipelineRefusal(for project: String) -> APIError {
    guard answersAsProduction(project) else {
      return APIError(.unimplemented, message: "ExecutePipeline is not implemented.")
    }
    return APIError(
      .failedPrecondition,
      message: "Pipeline Operations are only available for Firestore databases in Enterprise "
        + "edition.\n\nPlease switch to an Enterprise edition database to take advantage of such "
        + "functionality."
    ).with(
      details: [
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "PIPELINE_REQUIRES_ENTERPRISE_EDITION", "domain": "firestore.googleapis.com",
      ],
      [
        "@type": "type.googleapis.com/google.rpc.Help",
        "links": [
          [
            "description": "Learn more about Firestore database editions",
            "url": "https://cloud.google.com/firestore/docs/editions",
          ]
        ],
      ])
  }
}

/// Refusals that production words otherwise than the official emulator. Each row is a beginning of
/// the emulator's text and the text that replaces it.
enum ProductionWording {
  private static let rows: [(emulator: String, production: String)] = [
    (APIError.nestedArray.message, "Nested arrays are not allowed"),
    ("Resource name ", "Document parent name "),
    ("Input must be int64 or double.", "Input must be a number."),
    (Transactions.lockTimeout.message, Transactions.contention.message),
    (Transactions.closed.message, over),
  ]

  /// What is said of a transaction that has ended.
  static let over = Limit.transactionTime.refusal()

  static func translate(_ error: APIError) -> APIError {
    if let message = error.productionMessage { return error.saying(message) }
    let text = error.message
    // Of brackets production says no more than this.
    if text.hasPrefix("Invalid property path \""),
      let end = text.firstRange(of: "\". Unquoted"), text[..<end.lowerBound].contains("[")
    {
      return error.saying("Invalid property path")
    }
    guard let row = rows.first(where: { text.hasPrefix($0.emulator) }) else { return error }
    return error.saying(row.production + text.dropFirst(row.emulator.count))
  }
}

extension RunQueryResponse {
  /// What an offset has skipped is in all rows but the last of the official emulator. Production has a
  /// row of its own for it, and marks no end.
  static func mark(
    _ responses: inout [RunQueryResponse], skipped: Int, asProduction: Bool
  ) {
    guard asProduction else {
      for index in responses.indices.dropLast() {
        responses[index].skippedResults = Int32(clamping: skipped)
      }
      responses[responses.count - 1].done = true
      return
    }
    guard skipped > 0 else { return }
    if responses[0].hasDocument {
      responses.insert(.with { $0.readTime = responses[0].readTime }, at: 0)
    }
    responses[0].skippedResults = Int32(clamping: skipped)
  }
}
