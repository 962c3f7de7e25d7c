package import SwiftProtobuf

extension Google_Protobuf_Timestamp {
  /// The seconds of the years 1 to 9999, which a timestamp may have.
  package static let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
}
