package import HearthWire

/// What a client says when it opens a stream, apart from the messages.
package struct ChannelOpening: Sendable {
  package var path: String
  /// Holds `database`, which in a browser takes the place of the resource prefix header.
  package var parameters: FormFields
  /// The call's headers: those the client wrote into its body, so as to spare itself a preflight,
  /// then those of the request that the body does not name.
  package var headers: [ChannelHeader]
  /// Ends the stream at once, whatever there is still to say. May be called at any time.
  package let hangUp: @Sendable () -> Void

  init(
    _ request: ChannelRequest, parameters: FormFields, written: [ChannelHeader],
    hangUp: @escaping @Sendable () -> Void
  ) {
    self.hangUp = hangUp
    path = request.path
    self.parameters = parameters
    var headers = written
    // Older SDKs write them into the address.
    headers += HeaderLines.parse(parameters["$httpHeaders"] ?? "")
    let names = Set(headers.map { $0.name.lowercased() })
    headers += request.headers.filter { !names.contains($0.name.lowercased()) }
    self.headers = headers
  }
}

/// Headers in a text of their own: `Name:Value`, a line each.
enum HeaderLines {
  static func parse(_ text: String) -> [ChannelHeader] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = trimmed(line[..<colon])
      guard !name.isEmpty else { return nil }
      return ChannelHeader(String(name), value: String(trimmed(line[line.index(after: colon)...])))
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
