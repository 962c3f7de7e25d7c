/// Writes a new file through a buffer. It is readable by its owner only.
final class FileWriter {
  private let handle: OpenFile
  private var buffer: [UInt8] = []

  init(_ path: String) throws {
    guard let handle = OpenFile(writing: path) else { throw ExportError("cannot write \(path)") }
    self.handle = handle
  }

  /// Writes a small file as a whole.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let writer = try FileWriter(path)
    try writer.write(bytes)
    try writer.close()
  }

  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count > 1 << 18 { try flush() }
  }

  func close() throws {
    try flush()
    try handle.synchronize()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
