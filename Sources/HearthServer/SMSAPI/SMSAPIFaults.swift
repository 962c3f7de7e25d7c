import HearthErrors
import HearthSMSAPI
import HearthTransport
import Synchronization

/// The faults of one request to a gateway. It owns what they do to the connection.
final class SMSAPIFaults: Sendable {
  private struct ConnectionEnded: Error {}

  private let faults: MailFaults
  private let project: String
  private let fault = Mutex<DeliveryFault?>(nil)

  init(_ faults: MailFaults, project: String) {
    self.faults = faults
    self.project = project
  }

  /// What the answer suffers on its way.
  var delivery: DeliveryFault? { fault.withLock { $0 } }

  /// - Throws: ``SMSRefusal``, in the gateway's words.
  func admit(_ provider: SMSProvider) async throws {
    let outcomes = faults.faults.effects(
      in: project, MailFaults.Target.sms(provider).operation, email: nil)
    let verdict: FaultVerdict
    do throws(APIError) {
      verdict = try await outcomes.endure(faults.clock)
    } catch {
      throw SMSRefusal(provider, status: error.httpStatus, message: error.message)
    }
    switch verdict {
    case .isDropped:
      fault.withLock { $0 = .drop }
      throw ConnectionEnded()
    case .goesOn(let delivery): fault.withLock { $0 = delivery }
    }
  }
}
