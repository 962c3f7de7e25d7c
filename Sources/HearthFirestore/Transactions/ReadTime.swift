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
