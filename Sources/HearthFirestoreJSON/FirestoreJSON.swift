package import HearthErrors
import HearthWire
package import SwiftProtobuf

/// Messages of Firestore as JSON, as REST and WebChannel carry them.
///
/// SwiftProtobuf's own JSON is of no use here: a map is a repeated entry in our messages, so that
/// fields keep their order.
package enum FirestoreJSON {
  /// Production takes names of enumerations in lower case, and commas after the last member.
  ///
  /// `place` is where in the request the message lies, where it is not the request itself.
  ///
  /// - Throws: what is wrong and where, in Google's words.
  package static func decode<Body: Message>(
    _ json: [UInt8], as _: Body.Type = Body.self, isLenient: Bool = false, place: String? = nil
  ) throws(APIError) -> Body {
    guard let table = MessageTables.shared[Body.protoMessageName] else {
      preconditionFailure("\(Body.protoMessageName) is not in the table of messages.")
    }
    let wire = json.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONFault) in
        var transcoder = JSONToWire(bytes, isLenient: isLenient)
        try transcoder.document(table)
        return transcoder.output
      }
    }
    switch wire {
    case .failure(let fault): throw (place.map { fault.inside($0) } ?? fault).refusal
    case .success(let bytes):
      do {
        return try Body(serializedBytes: bytes, options: options)
      } catch {
        // Nothing else can be wrong with what the transcoder wrote.
        throw JSONFault.bound("A string is not UTF-8.").refusal
      }
    }
  }

  /// The transcoder has a bound of its own.
  private static var options: BinaryDecodingOptions {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 1000
    return options
  }

  package static func encode(_ message: some Message) throws -> [UInt8] {
    var output: [UInt8] = []
    try append(message, to: &output)
    return output
  }

  package static func append<Body: Message>(_ message: Body, to output: inout [UInt8]) throws {
    // Not into the output itself, which would be copied for each message of a long answer.
    output += transcode(try message.serializedBytes(), of: Body.self)
  }

  /// The JSON of a message that is already serialized.
  package static func transcode<Body: Message>(_ wire: [UInt8], of _: Body.Type) -> [UInt8] {
    guard let table = MessageTables.shared[Body.protoMessageName] else {
      preconditionFailure("\(Body.protoMessageName) is not in the table of messages.")
    }
    return wire.withUnsafeBufferPointer { bytes in
      var transcoder = WireToJSON(bytes, into: [])
      transcoder.document(table)
      return transcoder.output
    }
  }
}
