/// A log file: blocks of 32 KiB, in which records lie whole or in fragments. Each fragment has a
/// masked checksum, its length and its type before it.
enum LogFormat {
  static let block = 32 << 10
  static let header = 7

  enum Fragment: UInt8 {
    case full = 1
    case first, middle, last
  }
}
