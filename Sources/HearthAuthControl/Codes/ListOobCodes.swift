import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// Lists the out-of-band codes that can still be redeemed, in the order of their making.
enum ListOobCodes: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let codes = try OobCodes(in: project).allPending(context)
    return .json([
      "oobCodes": .array(codes.map { $0.json(openLink: project.openLink($0.link)) })
    ])
  }
}
