import HearthWire

/// A mistake in a seed, by where it is in the tree.
struct SeedFault: Error {
  let path: [String]
  let words: String

  var pointer: String { path.isEmpty ? "/" : "/" + path.joined(separator: "/") }
}

/// A value of a seed that knows where it is.
struct SeedNode {
  let json: JSON
  let path: [String]

  func fault(_ words: String) -> SeedFault { SeedFault(path: path, words: words) }

  /// The members of an object; those that are not in the list are mistakes, where there is one.
  func members(_ known: [String]? = nil) throws(SeedFault) -> [(name: String, node: SeedNode)] {
    guard let object = json.object else { throw fault("must be an object") }
    return try object.members.map { (member) throws(SeedFault) in
      let node = SeedNode(json: member.value, path: path + [member.key])
      if let known, !known.contains(member.key) {
        throw node.fault("is not known; there are \(known.joined(separator: ", "))")
      }
      return (member.key, node)
    }
  }

  func elements() throws(SeedFault) -> [SeedNode] {
    guard let array = json.array else { throw fault("must be an array") }
    return array.enumerated().map { SeedNode(json: $0.element, path: path + [String($0.offset)]) }
  }

  func text() throws(SeedFault) -> String {
    guard let text = json.string else { throw fault("must be a string") }
    return text
  }

  func flag() throws(SeedFault) -> Bool {
    guard let flag = json.bool else { throw fault("must be true or false") }
    return flag
  }
}

/// Finds the line of a value in the text that it was read from.
struct SeedPlaces {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The line, from 1, of the value with that path, or of the innermost one on the way to it.
  static func line(of path: [String], in bytes: [UInt8]) -> Int {
    var places = SeedPlaces(bytes)
    places.walk(path[...])
    return line(at: places.place, in: bytes)
  }

  static func line(at offset: Int, in bytes: [UInt8]) -> Int {
    1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
  }

  private mutating func walk(_ path: ArraySlice<String>) {
    skipSpace()
    guard let name = path.first, place < bytes.count else { return }
    let isObject = bytes[place] == UInt8(ascii: "{")
    guard isObject || bytes[place] == UInt8(ascii: "[") else { return }
    let start = place
    place += 1
    var index = 0
    while true {
      skipSpace()
      guard place < bytes.count, bytes[place] != UInt8(ascii: "}"),
        bytes[place] != UInt8(ascii: "]")
      else { break }
      if bytes[place] == UInt8(ascii: ",") {
        place += 1
        continue
      }
      let key = isObject ? string() : String(index)
      skipSpace()
      if isObject { place += 1 }
      if key == name { return walk(path.dropFirst()) }
      skipSpace()
      skipValue()
      index += 1
    }
    place = start
  }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func string() -> String {
    let start = place
    skipValue()
    return (try? JSON.parse(bytes[start..<place]))?.string ?? ""
  }

  /// Over a value that is known to be JSON.
  private mutating func skipValue() {
    var depth = 0
    repeat {
      guard place < bytes.count else { return }
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        place += 1
      default:
        place += 1
        // A number or a word ends where something else begins.
        if depth == 0 {
          while place < bytes.count, !Array(" \t\r\n,]}".utf8).contains(bytes[place]) { place += 1 }
        }
      }
    } while depth > 0
  }
}
