/// The text of a mail as it arrives, up to the line that ends it.
///
/// Only CRLF ends a line. A dot between other line ends is text: if it ended the mail, what follows
/// would be taken for commands, and a mail could smuggle in another one.
///
/// The buffer holds at most ``limit`` bytes. What is beyond is counted and dropped, because the
/// client cannot be interrupted before it has sent the end of the mail.
struct SmtpData: Sendable {
  private enum State {
    /// After CRLF, or at the beginning.
    case lineStart
    /// After a dot at the start of a line, which is not part of the text.
    case dot
    /// After that dot and a CR.
    case dotCR
    case text
    case cr
  }

  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")

  /// Bytes that are kept at most, without the dots that are taken away.
  let limit: Int
  private(set) var bytes: [UInt8] = []
  /// Bytes that were dropped, because they exceed the limit or the mail does not fit into memory.
  private(set) var dropped = 0
  /// Whether the mail is read to its end without being kept.
  private(set) var isRefused = false
  private var state = State.lineStart

  init(limit: Int) { self.limit = limit }

  /// Drops what was kept, and keeps nothing of the rest. The mail is still read to its end.
  mutating func refuse() {
    isRefused = true
    dropped += bytes.count
    bytes = []
  }

  /// Takes what belongs to the mail from the front.
  ///
  /// - Returns: how many bytes were taken, and whether the mail ended with them.
  mutating func append(_ input: ArraySlice<UInt8>) -> (count: Int, isEnd: Bool) {
    var index = input.startIndex
    while index < input.endIndex {
      // Most bytes are inside of lines. They are copied up to the next CR, not one by one.
      if state == .text {
        let end = input[index...].firstIndex(of: Self.cr) ?? input.endIndex
        keep(input[index..<end])
        index = end
        guard index < input.endIndex else { break }
      }
      let byte = input[index]
      index += 1
      if step(byte) { return (index - input.startIndex, true) }
    }
    return (input.count, false)
  }

  /// Whether the byte ends the mail.
  private mutating func step(_ byte: UInt8) -> Bool {
    switch state {
    case .lineStart where byte == UInt8(ascii: "."):
      state = .dot
      return false
    case .dot where byte == Self.cr:
      state = .dotCR
      return false
    case .dotCR where byte == Self.lf:
      return true
    case .dotCR:
      // The line was a dot and a CR without LF. The dot was stuffing; the CR is text.
      keep(CollectionOfOne(Self.cr))
      state = byte == Self.cr ? .cr : .text
    case .cr where byte == Self.lf:
      state = .lineStart
    default:
      state = byte == Self.cr ? .cr : .text
    }
    keep(CollectionOfOne(byte))
    return false
  }

  private mutating func keep(_ more: some Collection<UInt8>) {
    guard !isRefused, dropped == 0, bytes.count + more.count <= limit else {
      dropped += more.count
      return
    }
    bytes.append(contentsOf: more)
  }
}
