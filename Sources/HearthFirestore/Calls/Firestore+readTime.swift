import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthOperations
import HearthTime
import SwiftProtobuf

extension Firestore {
  /// Production reads an hour back, by the clock of the project, however much is known.
  func checkReadTime(_ time: Int64, in database: DatabaseName) throws(APIError) {
    let switches = switches(database.project)
    if switches.answers == .production, log.isBeforeBeginning(time, of: database) {
      throw .invalid("The requested 'read_time' cannot be before database creation time.")
    }
    guard switches.limits == .production else { return }
    let limit = Limit.pastReads
    guard now(of: database) &- time <= Int64(limit.value) * 1_000_000 else {
      throw APIError(.failedPrecondition, message: limit.refusal())
    }
  }

  /// Why a time cannot be read: it is before everything that is known, or what came then had to be
  /// forgotten.
  func unknownPast(at time: Int64, in database: DatabaseName) -> APIError {
    guard let forgotten = log.cut(of: database), forgotten > time else { return ReadTime.tooOld }
    let start = Timestamp(milliseconds: forgotten / 1000).iso8601
    return APIError(
      .failedPrecondition,
      message: "\(ReadTime.tooOld.message) Commits up to \(start) have left the log of commits, "
        + "which holds \(log.capacity >> 20) MB.")
  }
}
