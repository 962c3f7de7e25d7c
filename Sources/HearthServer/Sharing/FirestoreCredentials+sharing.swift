import HearthErrors
import HearthObservation
import HearthOperations
import HearthSharing
import HearthTransport
import HearthWire

extension FirestoreCredentials {
  /// Whether an administrator calls, on a shared server. The project must be open for every caller.
  ///
  /// Only the token of a project makes an administrator there. The word `owner` does not, and
  /// neither does what the service account has signed: all projects have the same one.
  func isSharedOwner(_ authorization: String?, of project: String) throws(APIError) -> Bool {
    guard let sharing else { return false }
    try sharing.check(project)
    guard let authorization, authorization.prefix(7).lowercased() == "bearer " else {
      return false
    }
    // As lenient as what reads the token of a user: more spaces do not make another token of it.
    let token = authorization.dropFirst(7).drop { $0 == " " }
    // Tokens of users are JWTs, which have dots.
    guard !token.contains(".") || token.hasPrefix("ya29.") else { return false }
    try sharing.check(try sharing.visitor(authorization), reaches: project)
    return true
  }
}

extension Admission {
  /// The calls over gRPC that read and write files of the machine.
  private static let ofFiles = ["exportData", "importData"].map(FirestoreOperations.id)

  /// - Throws: UNAUTHENTICATED or PERMISSION_DENIED where a shared server leaves a call to its
  ///   operator.
  func checkShared(_ call: FirestoreCall) throws(APIError) {
    guard let sharing, Self.ofFiles.contains(call.operation) else { return }
    do throws(APIError) {
      let visitor = try sharing.projects.admit(call.authorization, to: .server)
      sharing.audit(call.operation, in: call.project, by: visitor, with: nil, status: 200)
    } catch {
      sharing.audit(
        call.operation, in: call.project, by: nil, with: call.authorization,
        status: error.httpStatus)
      throw error
    }
  }

  /// Whether the request log may keep a credential for a repetition: tokens of projects are kept as
  /// hashes alone.
  func mayKeep(credentialOf call: IncomingCall) -> Bool {
    guard sharing != nil, let authorization = call.authorization else { return true }
    return authorization.contains(".")
  }
}
