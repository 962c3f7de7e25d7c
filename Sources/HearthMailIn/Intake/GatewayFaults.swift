import HearthErrors
import HearthMailbox
import HearthObservation
import HearthTransport
import Synchronization

/// The faults of one request to a send API or a gateway for text messages. It owns what they do to
/// the connection.
final class GatewayFaults: Sendable {
  /// The request gets no answer.
  struct ConnectionEnded: Error {}

  private let faults: MailFaults
  private let project: String
  private let fault = Mutex<DeliveryFault?>(nil)

  init(_ faults: MailFaults, project: String) {
    self.faults = faults
    self.project = project
  }

  /// What the answer suffers on its way.
  var delivery: DeliveryFault? { fault.withLock { $0 } }

  private func drop() { fault.withLock { $0 = .drop } }

  /// Asks about the request as a whole.
  ///
  /// - Parameters:
  ///   - target: Whose request it is.
  ///   - refusal: Makes an error in the provider's words.
  /// - Throws: what `refusal` makes; ``ConnectionEnded``.
  func admit(
    to target: MailFaults.Target, refusal: (_ status: Int, _ message: String) -> any Error
  ) async throws {
    let outcomes = faults.faults.effects(in: project, target.operation, email: nil)
    let verdict: FaultVerdict
    do throws(APIError) {
      verdict = try await outcomes.endure(faults.clock)
    } catch {
      throw refusal(error.httpStatus, error.message)
    }
    switch verdict {
    case .isDropped:
      drop()
      throw ConnectionEnded()
    case .goesOn(let delivery): fault.withLock { $0 = delivery }
    }
  }

  /// Asks about each recipient.
  ///
  /// - Returns: what became of the mail; nil where it was delivered.
  /// - Throws: ``ConnectionEnded`` where it is not to be kept.
  func delivery(to recipients: [String]) async throws -> MailDelivery? {
    let replies = await faults.replies(to: recipients, in: project)
    if replies.connectionEnd != nil { drop() }
    guard replies.connectionEnd != .beforeKeeping else { throw ConnectionEnded() }
    return replies.delivery
  }
}
