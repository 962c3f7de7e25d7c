/// The unit of every response body: a decimal length, a line feed, that many characters of JSON.
enum Frame {
  /// Frames JSON that is ASCII already, so that its bytes are its UTF-16 code units.
  static func bytes(_ json: [UInt8]) -> [UInt8] {
    Array("\(json.count)\n".utf8) + json
  }
}
