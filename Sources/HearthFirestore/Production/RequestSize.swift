package import HearthErrors
import HearthLimits
import HearthOperations

extension Firestore {
  /// Refuses a request with so many bytes that production would not take.
  package func checkRequest(_ size: Int, of project: String) throws(APIError) {
    guard size > Limit.requestSize.value, switches(project).limits == .production else { return }
    throw .invalid(Limit.requestSize.refusal())
  }
}
