import HearthErrors
import HearthOperations
import HearthWire

/// `downloadAccount` of v3: `batchGet` with its parameters in the body.
enum LegacyDownloadAccount: Operation {
  struct Request: OperationRequest {
    let batch: BatchGet.Request

    /// - Throws: what a query with a `maxResults` that is not a number is refused with.
    init(_ wire: WireRequest) throws(APIError) {
      func text(_ name: String) -> String? {
        wire.body.members.first { $0.key == name }.map { $0.value.string ?? $0.value.text }
      }
      let maxResults = text("maxResults")
      if let maxResults, Int64(maxResults) == nil {
        throw MessageSchemas.violation("", rule: "must be integer")
      }
      batch = BatchGet.Request(
        tenantId: text("tenantId"), maxResults: maxResults, nextPageToken: text("nextPageToken"))
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try BatchGet.run(request.batch, in: project, context: context)
  }
}
