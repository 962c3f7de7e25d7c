/// Writes a log file.
package final class LogWriter {
  private let file: FileWriter
  private var place = 0

  package init(_ path: String) throws { file = try FileWriter(path) }

  /// The size of the file.
  package var count: Int { file.count }

  package func append(_ record: [UInt8]) throws {
    var rest = record[...]
    var isFirst = true
    repeat {
      let room = LogFormat.block - place
      if room < LogFormat.header {
        try file.write([UInt8](repeating: 0, count: room))
        place = 0
        continue
      }
      // Where only a header fits, the official writer begins the record with an empty fragment.
      let payload = rest.prefix(room - LogFormat.header)
      rest = rest.dropFirst(payload.count)
      let type: LogFormat.Fragment =
        switch (isFirst, rest.isEmpty) {
        case (true, true): .full
        case (true, false): .first
        case (false, false): .middle
        case (false, true): .last
        }
      try write(payload, type: type)
      isFirst = false
    } while isFirst || !rest.isEmpty
  }

  private func write(_ payload: ArraySlice<UInt8>, type: LogFormat.Fragment) throws {
    let checksum = CRC32C.masked(CRC32C.ofFragment(type: type.rawValue, payload))
    let length = UInt16(truncatingIfNeeded: payload.count)
    try file.write([
      UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8),
      UInt8(truncatingIfNeeded: checksum >> 16), UInt8(truncatingIfNeeded: checksum >> 24),
      UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8), type.rawValue,
    ])
    try file.write(payload)
    place += LogFormat.header + payload.count
    if place == LogFormat.block { place = 0 }
  }

  package func close() throws { try file.close() }
}
