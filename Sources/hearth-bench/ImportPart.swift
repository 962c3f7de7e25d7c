import ArgumentParser
import Foundation
import HearthExports
import HearthFirestoreProtos
import SwiftProtobuf

/// How long the server takes to start with an official export, and how much memory meanwhile.
struct ImportPart: ParsableArguments {
  @Option(help: "Documents of the export that a server starts with.")
  var importDocuments = 500_000

  func measure(_ binary: String) async throws -> [Row] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hearth-bench-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let export = folder.appendingPathComponent("firestore_export").path
    try SampleExport.write(to: export, importDocuments)
    let data = folder.appendingPathComponent("data").path
    return try await start(binary, export: export, flags: [], name: "in memory")
      + start(binary, export: export, flags: ["--data", data], name: "with --data")
  }

  private func start(
    _ binary: String, export: String, flags: [String], name: String
  ) async throws -> [Row] {
    let idle = try await Server(binary)
    let atRest = idle.residentMegabytes()
    idle.stop()
    let started = ContinuousClock.now
    let server = try await Server(binary, flags: ["--import", export] + flags)
    defer { server.stop() }
    let seconds = started.millisecondsAgo / 1000
    try await SampleDocuments.expect(
      10, from: server,
      query:
        #"{"structuredQuery":{"from":[{"collectionId":"\#(SampleExport.collection)"}],"limit":10}}"#
    )
    let resident = server.residentMegabytes()
    var rows = [
      Row(
        "--import of \(importDocuments) documents, \(name)", unit: "s", value: seconds, bar: 20,
        less: true)
    ]
    guard let peak = server.peakMegabytes() else { return rows }
    // In memory, what is stored counts as stored only when it is there: it is what stays resident.
    let base = flags.isEmpty ? resident : 0
    let what = flags.isEmpty ? "peak above what stays resident" : "peak resident memory"
    rows.append(
      Row("\(what), that import \(name)", unit: "MB", value: peak - base, bar: 150, less: true))
    rows.append(
      Row("resident then, above idle, \(name)", unit: "MB", value: resident - atRest, less: true))
    return rows
  }
}

/// An official export of documents with five fields and about 300 bytes.
private enum SampleExport {
  static let collection = "items"

  static func write(to folder: String, _ count: Int) throws {
    let writer = try FirestoreExportWriter(folder: folder, name: "firestore_export", start: 0)
    for number in 0..<count { try writer.append(try EntityWriter.record(of: document(number))) }
    try writer.finish(end: 1)
  }

  private static func document(_ number: Int) -> ExportedDocument {
    var fields = Fields()
    fields["name"] = .with { $0.stringValue = "Item \(number)" }
    fields["group"] = .with { $0.integerValue = Int64(number % 1000) }
    fields["price"] = .with { $0.doubleValue = Double(number % 9973) / 7 }
    fields["made"] = .with { $0.timestampValue.seconds = 1_700_000_000 + Int64(number) }
    fields["text"] = .with { $0.stringValue = text(number) }
    // Ids come in the order of a hash, as those that SDKs make.
    let id = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
    return ExportedDocument(
      app: ExportedDocument.app(of: Server.project), database: ExportedDocument.defaultDatabase,
      segments: [collection, id], fields: fields)
  }

  private static func text(_ number: Int) -> String {
    String(repeating: "\(number &* 7919) words of it, ", count: 9)
  }
}
