/// What a session has to say, each array under its id, until the client says it has it.
struct ArrayLog {
  private struct Entry {
    var id: Int
    var payload: [UInt8]
  }

  private var entries: [Entry] = []
  private var nextID = 0
  /// The size of all that is not acknowledged.
  private(set) var bytes = 0

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// Adds an array, given as ASCII JSON.
  mutating func append(_ payload: [UInt8]) {
    entries.append(Entry(id: nextID, payload: payload))
    nextID += 1
    bytes += payload.count
  }

  mutating func acknowledge(upTo id: Int) {
    let known = entries.prefix { $0.id <= id }
    bytes -= known.reduce(0) { $0 + $1.payload.count }
    entries.removeFirst(known.count)
  }

  func hasArrays(after id: Int) -> Bool { nextID > id + 1 && !entries.isEmpty }

  /// Everything after that id as one frame, and where that leads to.
  func chunk(after id: Int) -> (bytes: [UInt8], last: Int, count: Int)? {
    let due = entries.drop { $0.id <= id }
    guard let last = due.last else { return nil }
    var json: [UInt8] = [UInt8(ascii: "[")]
    json.reserveCapacity(due.reduce(2) { $0 + $1.payload.count + 16 })
    for entry in due {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += "[\(entry.id),".utf8
      json += entry.payload
      json.append(UInt8(ascii: "]"))
    }
    json.append(UInt8(ascii: "]"))
    return (Frame.bytes(json), last.id, due.count)
  }
}
