import Foundation
import HearthTestSupport
import Testing

@testable import HearthServer
@testable import HearthSettings

@Suite struct `A watch of files` {
  /// The paths that the watch names first, up to a number.
  private func changes(_ watch: FileWatch, count: Int = 1) async -> [String] {
    let (paths, found) = AsyncStream.makeStream(of: String.self)
    let task = Task { await watch.run { found.yield($0) } }
    defer { task.cancel() }
    var heard: [String] = []
    for await path in paths {
      heard.append(path)
      if heard.count == count { break }
    }
    return heard
  }

  private func write(_ text: String, to path: String, at date: Date? = nil) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    if let date {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
  }

  @Test func `names what has changed since it was made`() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let (changed, same, new) = (folder + "/changed", folder + "/same", folder + "/new")
      try write("one", to: changed, at: Date(timeIntervalSince1970: 1e9))
      try write("one", to: same)
      let watch = FileWatch(paths: [changed, same, new])
      try write("two", to: changed)
      try write("two", to: new)
      #expect(await Set(changes(watch, count: 2)) == [changed, new])
    }
  }

  /// The clock of a file system stands still for some milliseconds.
  @Test func `sees two sizes at one time`() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let (path, date) = (folder + "/file", Date(timeIntervalSince1970: 1e9))
      try write("", to: path, at: date)
      let watch = FileWatch(paths: [path])
      try write("all of it", to: path, at: date)
      #expect(await changes(watch) == [path])
    }
  }

  @Test func `does not name a file that is gone`() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let (gone, changed) = (folder + "/gone", folder + "/changed")
      try write("one", to: gone)
      try write("one", to: changed)
      let watch = FileWatch(paths: [gone, changed])
      try FileManager.default.removeItem(atPath: gone)
      try write("three", to: changed)
      #expect(await changes(watch) == [changed])
    }
  }
}
