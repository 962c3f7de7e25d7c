#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which runtime a command is run by, as far as its files tell.
///
/// Nothing is run: files are found and read. What a shell starts cannot be known.
struct CommandInspection {
  /// How the runtime was found: one line for each step, for people.
  private(set) var steps: [String] = []
  /// Nil where nothing was recognised.
  private(set) var runtime: Runtime?

  private static let shells = ["sh", "bash", "dash", "zsh", "ksh", "busybox"]
  /// A script of a script of a script. It ends circles of scripts, too.
  private static let mostSteps = 4

  /// `name` is the command as a shell has it, and `path` the folders to search, as in `PATH`.
  init(_ name: String, path: String) {
    var program: String? = name
    for _ in 0..<Self.mostSteps {
      guard let next = program else { return }
      program = inspect(next, path: path)
    }
  }

  /// Returns the program that the next step is about; nil where this was the last one.
  private mutating func inspect(_ program: String, path: String) -> String? {
    guard let place = ProgramSearch.location(of: program, on: path) else {
      steps.append("\(program): not found, or not executable")
      return nil
    }
    let own = place.split(separator: "/").last.map(String.init) ?? place
    if let known = Runtime.named(own) {
      steps.append("\(place): \(known.name)")
      runtime = known
      return nil
    }
    // A shell may run anything, so a mark in its own file would say nothing of the command.
    if Self.shells.contains(own) {
      steps.append("\(place): a shell; run hearth doctor for each program that it starts")
      return nil
    }
    if let next = Self.interpreter(of: place) {
      steps.append("\(place): a script for \(next)")
      return next
    }
    runtime = Self.compiled(place)
    let words =
      runtime?.name
      ?? "an unknown runtime: it is not known whether it reads the system's certificates"
    steps.append("\(place): \(words)")
    return nil
  }

  /// Of the first line of a script: `/usr/bin/env -S node --flag` and `/usr/bin/node` are node.
  private static func interpreter(of place: String) -> String? {
    guard let start = contents(place)?.prefix(256), start.starts(with: Array("#!".utf8)) else {
      return nil
    }
    // The kernel takes no more than the first line, and no more than some hundred bytes of it.
    let line = String(decoding: start.dropFirst(2).prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    var words = line.split(separator: " ")[...]
    guard let first = words.popFirst() else { return nil }
    guard first.hasSuffix("/env") else { return String(first) }
    // `env` takes options and variables before the program.
    return words.first { !$0.hasPrefix("-") && !$0.contains("=") }.map(String.init)
  }

  /// Mapped, and not read into memory: programs are large.
  private static func contents(_ place: String) -> Data? {
    try? Data(contentsOf: URL(filePath: place), options: .mappedIfSafe)
  }

  /// By what compilers and libraries leave behind in a program.
  private static func compiled(_ place: String) -> Runtime? {
    guard let contents = contents(place) else { return nil }
    return Runtime.all.first { runtime in
      guard let mark = runtime.mark else { return false }
      return contents.withUnsafeBytes { contains($0, mark: Array(mark.utf8)) }
    }
  }

  /// By the system's search for a byte: programs have many megabytes.
  private static func contains(_ all: UnsafeRawBufferPointer, mark: [UInt8]) -> Bool {
    guard let first = mark.first, var place = all.baseAddress, all.count >= mark.count else {
      return false
    }
    let last = place + (all.count - mark.count)
    while place <= last, let found = memchr(place, Int32(first), last - place + 1) {
      if memcmp(found, mark, mark.count) == 0 { return true }
      place = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
