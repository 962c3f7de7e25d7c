/// One HTTP request to a channel's path.
package struct ChannelRequest: Sendable {
  package var method: String
  package var path: String
  /// What follows the question mark, still percent-encoded.
  package var query: String
  package var headers: [ChannelHeader]
  package var body: [UInt8]

  package init(
    method: String, path: String, query: String, headers: [ChannelHeader] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

/// A header as it is on the wire.
package struct ChannelHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension [ChannelHeader] {
  /// The first value of that name, in whatever case it is written.
  package subscript(name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What goes back for a request.
package enum ChannelReply: Sendable {
  /// An answer whose length is known.
  case whole(status: Int, headers: [ChannelHeader], body: [UInt8])

  /// An answer without a length. The head is to be sent at once and every chunk as it comes; the
  /// answer ends with the sequence.
  case stream(status: Int, headers: [ChannelHeader], chunks: ChannelChunks)
}
