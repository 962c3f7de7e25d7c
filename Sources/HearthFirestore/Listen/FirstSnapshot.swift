import HearthErrors
import HearthFirestoreProtos
import HearthFirestoreRules
import HearthTime
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Target {
  /// Whether the token has a length that no start of the server gives out. Production refuses such
  /// a token; one of an earlier start is only unknown.
  var hasBadResumeToken: Bool {
    guard case .resumeToken(let token)? = resumeType else { return false }
    return !token.isEmpty && token.count != 16
  }
}

extension Firestore {
  /// A token of 16 bytes: 8 that were chosen at the start of the server, and the time in
  /// microseconds, big-endian. Everything that was committed until then is known to the client.
  ///
  /// Nothing is kept of a token, and it may be sent to any stream. After a restart it is not
  /// understood, since the log of commits has gone with the earlier process.
  func resumeToken(_ time: Int64) -> Data {
    Data(instance) + withUnsafeBytes(of: time.bigEndian) { Data($0) }
  }

  private func time(ofToken token: Data) -> Int64? {
    let bytes = [UInt8](token)
    guard bytes.count == 16, bytes.starts(with: instance) else { return nil }
    return bytes[8...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
  }

  /// The time up to which a client knows a target; nil where it does not, or nobody can tell.
  func resumeTime(of message: Target) -> Int64? {
    switch message.resumeType {
    case .resumeToken(let token)?: time(ofToken: token)
    case .readTime(let time)?: time.microseconds
    case nil: nil
    }
  }

  /// What a target shows at first: everything, or what has changed since the client saw it last.
  ///
  /// To be called in the transaction of the store that also brings the other targets up to date.
  ///
  /// - Returns: the target with what the client will know, its messages, and the time that they are
  ///   of, in microseconds.
  /// - Throws: why the target is refused.
  func first(
    _ target: ListenTarget, message: Target, database: DatabaseName, caller: FirestoreCaller,
    documents: Documents, verdicts: RuleVerdicts, judged: JudgedQuery?,
    reading: ListenReading
  ) throws(APIError) -> (target: ListenTarget, answers: [ListenResponse], time: Int64) {
    var target = target
    // The rules come first: a client that may not listen learns neither of a missing index nor of a
    // document.
    try judge(&target, caller: caller, database: database, documents: documents, verdicts: verdicts)
    try judged?.requireIndexes()
    let time = try readTime(documents, of: database)
    let result = try result(of: target, in: documents, reading)
    target.known = Dictionary(
      result.map { ($0.path, $0.updateTime) }, uniquingKeysWith: { $1 })
    var answers: [ListenResponse] = []
    var shown = result
    var gone: [ResourcePath] = []
    var filter: Google_Firestore_V1_ExistenceFilter?
    if message.resumeType != nil {
      if let news = news(
        of: target, result: result, since: message, until: time, database: database)
      {
        (shown, gone) = news
        // As recorded from production: a filter follows what has changed, and stands for the names
        // of all that have left. Only a client that was away for a moment, and says how many
        // documents it expects, hears of each.
        let isTold = message.hasExpectedCount && !gone.isEmpty && !isLate(message, at: time)
        if !isTold, canFilter(target, verdicts: verdicts) {
          filter = .of(result, names: message.hasExpectedCount, for: target.id)
          gone = []
        }
      } else if let changed = changed(
        in: target, result: result, since: message, until: time, database: database,
        verdicts: verdicts)
      {
        shown = changed
        filter = .of(result, names: message.hasExpectedCount, for: target.id)
      } else {
        // Nobody can tell what has changed, so the client forgets what it has, and gets everything.
        answers.append(.change(.reset, ids: [target.id]))
      }
    }
    if case .documents(let paths) = target.kind {
      // A document that was named and is not there is always told, also to a client that resumes.
      gone = paths.filter { target.known[$0] == nil }
    }
    var snapshot = SnapshotMessages()
    snapshot.add(shown.map { .shows($0) }, target: target)
    for path in gone {
      snapshot.add(
        [try documents.document(at: path) == nil ? .deleted(path) : .left(path)], target: target)
    }
    answers += snapshot.responses(readTime: time)
    if let filter { answers.append(.with { $0.filter = filter }) }
    return (target, answers, time)
  }

  /// Whether a filter may stand for the documents that have left a target. The official emulator
  /// sends none.
  private func canFilter(_ target: ListenTarget, verdicts: RuleVerdicts) -> Bool {
    target.query?.isWindow == false && verdicts.answers == .production
  }

  /// Whether a client was away for more than a moment. Recorded are resumes at once and after ten
  /// seconds.
  private func isLate(_ message: Target, at time: Int64) -> Bool {
    resumeTime(of: message).map { time - $0 >= 5_000_000 } ?? true
  }

  /// The documents that have changed since the time of a token, by their own times; nil where these
  /// do not tell, or no filter may follow. Which documents have left is not known.
  private func changed(
    in target: ListenTarget, result: [StoredDocument], since message: Target, until now: Int64,
    database: DatabaseName, verdicts: RuleVerdicts
  ) -> [StoredDocument]? {
    guard let since = resumeTime(of: message), since <= now, canFilter(target, verdicts: verdicts),
      log.isTimed(database, after: since)
    else { return nil }
    return result.filter { $0.updateTime > since }
  }

  /// What has changed since the time of a token; nil when nobody can tell.
  private func news(
    of target: ListenTarget, result: [StoredDocument], since message: Target, until now: Int64,
    database: DatabaseName
  ) -> (shown: [StoredDocument], gone: [ResourcePath])? {
    guard let since = resumeTime(of: message), since <= now,
      let changed = log.changedPaths(of: database, after: since)
    else { return nil }
    if case .query(let query) = target.kind {
      let touched = changed.filter(query.covers)
      if touched.isEmpty { return ([], []) }
      // What moved up into the window has not changed itself.
      if query.isWindow { return nil }
      return (
        result.filter { touched.contains($0.path) },
        touched.filter { target.known[$0] == nil }.sorted { $0.text < $1.text }
      )
    }
    return (result.filter { changed.contains($0.path) }, [])
  }
}

extension Google_Firestore_V1_ExistenceFilter {
  /// How many documents a target has, and which. Names only count for a client that has said how
  /// many it knows.
  fileprivate static func of(
    _ result: [StoredDocument], names: Bool, for target: Int32
  ) -> Self {
    .with {
      $0.targetID = target
      $0.count = Int32(clamping: result.count)
      $0.unchangedNames = names ? NameFilter.message(of: result.map(\.path.text)) : .init()
    }
  }
}
