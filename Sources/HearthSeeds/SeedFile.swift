import HearthExports
import HearthWire
import HearthYAML

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  import Foundation
#endif

/// A seed as it was written.
package struct SeedFile {
  /// Where the seed is, and files that it names; nil for a text without a file.
  package let path: String?
  /// Nil for that of the file.
  package var content: Data?

  package init(path: String?, content: Data? = nil) {
    self.path = path
    self.content = content
  }

  /// - Throws: ``ExportError`` with file, line and path of the first mistake.
  package func read(for project: String) throws -> Seed {
    guard let bytes = try content ?? RegularFile.contents(name) else {
      throw ExportError("not found: \(name)")
    }
    return try naming {
      try Seed(
        SeedNode(value: try read(bytes), path: []), project: project)
    }
  }

  /// Adds the file's name to what is wrong in it.
  func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let fault as YAMLFault {
      throw ExportError("\(name):\(fault.line): \(fault.words)")
    } catch let fault as SeedFault {
      throw ExportError(text(of: fault))
    }
  }

  package func text(of fault: SeedFault) -> String {
    "\(name):\(fault.line): \(fault.pointer) \(fault.words)"
  }

  private var name: String { path ?? "seed" }

  /// A file that the seed names: its name there, and its text.
  package func file(_ node: SeedNode) throws -> (name: String, text: String) {
    let file = try node.text()
    guard let path else {
      throw node.fault("names a file, and the path of the seed is not known")
    }
    let full =
      file.hasPrefix("/")
      ? file : (URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + file)
    let data: Data?
    do throws(ExportError) { data = try RegularFile.contents(full) } catch {
      throw node.fault(error.description)
    }
    guard let data else { throw node.fault("not found: \(full)") }
    return (file, String(decoding: data, as: UTF8.self))
  }

  private var isYAML: Bool {
    guard let path else { return true }
    return path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  private var isJSON: Bool { path?.hasSuffix(".json") ?? false }

  /// JSON is a part of YAML; a file of it says what is wrong as JSON does.
  private func read(_ bytes: Data) throws(YAMLFault) -> YAMLNode {
    if !isYAML {
      do throws(JSON.ParseError) { _ = try JSON.parse(bytes) } catch {
        let line = 1 + bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
        let advice = isJSON ? "" : " (seeds in YAML have names that end with .yaml or .yml)"
        throw YAMLFault(line: line, words: error.reason + advice)
      }
    }
    return try YAMLReader.read(bytes)
  }
}
