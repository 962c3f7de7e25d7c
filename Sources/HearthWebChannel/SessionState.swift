/// The state of a session: what it has to say, what it has heard, who listens. It decides and
/// leaves waiting, timing and waking to `Session`.
///
/// What the server says are arrays with ascending ids. The client acknowledges the last one it has with
/// each request (`AID`); until then an array is kept, as the GET that carried it may have been cut. What
/// the client says has numbers, too (`ofs`), so that a POST that is sent twice counts once.
///
/// It is bounded by ``ChannelLimits`` in both directions, and has no lock of its own: ``Session``
/// holds it behind a lock.
struct SessionState {
  /// A hanging GET.
  private struct BackChannel {
    let id: Int
    /// The client sees nothing before the answer ends (`CI=1`), so it ends after the first chunk.
    let isBuffered: Bool
    /// The last array that went through it or that the client has said it has.
    var sent: Int
    var arrays = 0
    var bytes = 0
    var isSpent = false
  }

  /// What a GET does next.
  enum Step: Equatable {
    case chunk([UInt8])
    case wait
    case end
  }

  private let limits: ChannelLimits
  private var arrays = ArrayLog()
  private var backChannel: BackChannel?
  private var lastChannel = 0
  /// The highest id written to any GET, each of which takes all there is. The handshake's own array
  /// goes out with its POST.
  private var lastSent = 0
  private var messages: [String] = []
  private var messageBytes = 0
  private var nextMessage = 0
  /// The handler is done: nothing is added after its last array.
  private var isFinished = false
  private(set) var isEnded = false
  /// Counts the client's signs of life.
  private(set) var contacts = 0

  init(_ limits: ChannelLimits) { self.limits = limits }

  mutating func end() { isEnded = true }

  var isIdle: Bool { backChannel == nil && !isEnded }

  mutating func countContact() -> Int? {
    guard !isEnded else { return nil }
    contacts += 1
    return contacts
  }
}

// What the server says.
extension SessionState {
  /// Greets the client with the session's name; the array with id 0.
  mutating func handshake(_ id: String, keepAlive: Int) -> [UInt8] {
    arrays.append(Array(#"["c","\#(id)","",8,12,\#(keepAlive)]"#.utf8))
    return arrays.chunk(after: -1)?.bytes ?? []
  }

  /// Takes a message for the client; not where too much is on its way already.
  mutating func send(_ message: [UInt8]) -> Bool {
    guard !isEnded, !isFinished else { return true }
    guard arrays.count < limits.arrays, arrays.bytes < limits.bytes else { return false }
    arrays.append([UInt8(ascii: "[")] + message + [UInt8(ascii: "]")])
    return true
  }

  /// Says how the stream ended. A failure is enough for the client to hang up; OK has an array of
  /// its own.
  mutating func finish(_ failure: ChannelFailure?) {
    guard !isEnded, !isFinished else { return }
    arrays.append(JSONText.ascii(failure.map { "[\($0.json)]" } ?? #"["close"]"#))
    isFinished = true
  }

  /// Sends something where nothing else is to be said, so that the client knows we are here.
  mutating func keepAlive(_ channel: Int) {
    guard let open = backChannel, open.id == channel, !open.isSpent, !isEnded,
      !arrays.hasArrays(after: open.sent)
    else { return }
    arrays.append(Array(#"["noop"]"#.utf8))
  }

  /// Opens a GET in the place of one that may be there. `nil` where there is nothing left to say.
  mutating func openBackChannel(acknowledging id: Int, isBuffered: Bool) -> Int? {
    acknowledge(id)
    guard !isEnded else { return nil }
    lastChannel += 1
    backChannel = BackChannel(id: lastChannel, isBuffered: isBuffered, sent: min(id, lastSent))
    // Nothing has reached the client by GET so far. In a browser it gives us two round trips to
    // show that bytes come through as they are written, and stops streaming otherwise.
    if id <= 0, !isBuffered { keepAlive(lastChannel) }
    return lastChannel
  }

  mutating func step(on channel: Int) -> Step {
    guard !isEnded, var open = backChannel, open.id == channel, !open.isSpent else { return .end }
    guard let chunk = arrays.chunk(after: open.sent) else { return .wait }
    open.sent = chunk.last
    open.arrays += chunk.count
    open.bytes += chunk.bytes.count
    open.isSpent =
      open.isBuffered || isFinished || open.arrays >= limits.arraysPerAnswer
      || open.bytes >= limits.bytesPerAnswer
    backChannel = open
    lastSent = open.sent
    return .chunk(chunk.bytes)
  }

  /// Forgets a GET that is over; not the one that may have taken its place.
  mutating func closeBackChannel(_ channel: Int) {
    if backChannel?.id == channel { backChannel = nil }
  }
}

// What the client says.
extension SessionState {
  enum Reception: Equatable {
    case taken
    /// Messages before these never came; the stream would be wrong without them.
    case gap
    case tooMuch
  }

  /// Takes what has not been seen yet: a POST that failed on its way is sent again.
  mutating func receive(_ body: ForwardBody) -> Reception {
    guard body.first <= nextMessage else { return .gap }
    for message in body.messages.dropFirst(nextMessage - body.first) {
      nextMessage += 1
      guard let message, !isFinished else { continue }
      guard messages.count < limits.messages, messageBytes < limits.messageBytes else {
        return .tooMuch
      }
      messages.append(message)
      messageBytes += message.utf8.count
    }
    return .taken
  }

  mutating func takeMessage() -> String? {
    guard !messages.isEmpty else { return nil }
    let message = messages.removeFirst()
    messageBytes -= message.utf8.count
    return message
  }

  /// Drops what the client has. It cannot have what was never written to it.
  mutating func acknowledge(_ id: Int) {
    arrays.acknowledge(upTo: min(id, lastSent))
    if isFinished, arrays.isEmpty { isEnded = true }
  }

  /// The answer to a POST, by which the client judges whether its GET is alive.
  var report: [UInt8] {
    Frame.bytes(Array("[\(backChannel == nil ? 0 : 1),\(lastSent),\(arrays.bytes)]".utf8))
  }
}
