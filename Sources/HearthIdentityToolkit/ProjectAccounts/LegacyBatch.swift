import HearthErrors
import HearthOperations
import HearthWire

/// `downloadAccount` of v3: `batchGet` with its parameters in the body.
enum LegacyDownloadAccount: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var query = FormFields()
    for (name, value) in request.body.members where name != "targetProjectId" {
      let text = value.string ?? value.text
      if name == "maxResults", Int64(text) == nil {
        throw MessageSchemas.violation("", "must be integer")
      }
      query.pairs.append(FormFields.Pair(name: name, value: text))
    }
    return try BatchGet.run(WireRequest(query: query), in: project, context)
  }
}
