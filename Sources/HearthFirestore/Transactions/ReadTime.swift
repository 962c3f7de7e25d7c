import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthOperations
import HearthTime
import SwiftProtobuf

/// What is said of times of the past that cannot be read.
enum ReadTime {
  static let tooOld = APIError(
    .failedPrecondition, message: "The requested 'read_time' is too old.")
  static let inFuture = APIError.invalid("The requested 'read_time' cannot be in the future.")

  /// The last second of the year 9999, the latest that a timestamp of Protocol Buffers may have.
  static let endOfTime: Int64 = 253_402_300_799

  /// A time of a request, in microseconds since 1970.
  ///
  /// - Throws: INVALID_ARGUMENT where Firestore has no such time.
  static func microseconds(_ time: ProtoTimestamp) throws(APIError) -> Int64 {
    guard time.seconds > 0 || time.seconds == 0 && time.nanos > 0 else {
      throw .beforeEpoch
    }
    guard time.nanos % 1000 == 0 else { throw .tooPrecise }
    guard time.seconds <= endOfTime else { throw inFuture }
    return time.microseconds
  }
}

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
