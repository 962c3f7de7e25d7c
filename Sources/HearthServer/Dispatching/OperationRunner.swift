import HTTPTypes
import HearthErrors
import HearthEvents
import HearthIdentityToolkit
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Runs operations: in transactions, outside of them where they wait for something, and to the
/// signed token.
///
/// It owns the queues of `SharedTransactions`, one for each event loop. An operation runs in the
/// task of its request, apart from its transactions, which run with those of others.
struct OperationRunner: Sendable {
  private let store: Store
  private let transactions: SharedTransactions
  let keys: KeySet
  private let server: ServerFacts
  private let hosts: Hosts
  private let events: EventDispatch
  let logger: Logger
  private let notices = GivenNotices()

  init(
    store: Store, keys: KeySet, server: ServerFacts, hosts: Hosts, events: EventDispatch,
    logger: Logger
  ) {
    self.store = store
    transactions = SharedTransactions(store)
    self.keys = keys
    self.server = server
    self.hosts = hosts
    self.events = events
    self.logger = logger
  }

  /// Runs the operation to its end. Throws its refusal, when what it wrote has been undone or,
  /// where the refusal keeps it, committed.
  func run(
    _ operation: any Operation.Type, request: CheckedRequest, scope: Scope,
    call: IncomingCall
  ) async throws(APIError) -> Answer {
    let mode = call.servedPort.tokenMode
    let answer = try await run(operation, request: request.wire, scope: scope, mode: mode) {
      context(call, caller: request.credentials.caller, scope: scope)
    }
    return try await sign(answer, mode: mode)
  }

  private func run(
    _ operation: any Operation.Type, request: WireRequest, scope: Scope, mode: TokenMode,
    context: () -> Context
  ) async throws(APIError) -> Answer {
    var scope = scope
    let token = request.string("refreshToken").nonEmpty
    // The tenant of a token that was issued exists.
    if token == nil || !operation.findsTenantOfToken {
      if let token { try scope.adopt(tenantOf: try refreshToken(token, in: scope.projectId)) }
      if scope.tenantId != nil { try bringUpTenant(of: scope) }
    }
    var step: Outcome.Resumption = { project, context throws(APIError) in
      try operation.run(reading: request, in: project, context)
    }
    while true {
      // Asked before the transaction: a key that is ready stays so, and one that becomes ready
      // meanwhile costs a repetition only.
      let mayLackKey = mode == .rs256 && keys.currentIfReady() == nil
      let outcome: Outcome
      do throws(APIError) {
        // The context is made again, with the time of this transaction: work elsewhere may have
        // taken long.
        outcome = try await transact(
          scope, context: context(), step: step, undoingTokens: mayLackKey)
      } catch {
        guard error.code == .noKeyYet else { throw error }
        try await waitForKey()
        continue
      }
      switch outcome {
      case .answer(let answer): return answer
      case .away(let work): step = try await work()
      }
    }
  }

  /// A tenant that is named exists from then on, also where the operation refuses or does not ask.
  /// So it has a transaction of its own, which a refusal does not undo.
  private func bringUpTenant(of scope: Scope) throws(APIError) {
    try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: scope.projectId, tenantId: scope.tenantId, server: server)
      if try !project.switches().strictTenants { _ = try project.tenant() }
    }
  }

  private func refreshToken(
    _ token: String, in projectId: String
  ) throws(APIError) -> PresentedRefreshToken {
    try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: projectId, tenantId: nil, server: server)
      return try PresentedRefreshToken(token, in: project)
    }
  }

  /// Runs a step in a transaction that it may share, and announces what it has done when that is
  /// committed.
  private func transact(
    _ scope: Scope, context: Context, step: @escaping Outcome.Resumption,
    undoingTokens: Bool
  ) async throws(APIError) -> Outcome {
    let (result, outbox) = await transactions.transaction { [server] transaction in
      let project = ProjectTransaction(
        transaction, projectId: scope.projectId, tenantId: scope.tenantId, server: server)
      let result = Result { () throws(APIError) in
        let outcome = try step(project, context)
        // Nothing is kept of a sign-in whose token cannot be signed.
        if undoingTokens, outcome.isSigned { throw APIError(.noKeyYet) }
        if case .answer(let answer) = outcome, let token = answer.sign,
          server.issuedTokens.note(token.claims, of: scope.projectId)
        {
          try server.issuedTokens.keepRevoked(of: scope.projectId, in: transaction)
        }
        return outcome
      }
      return (result, project.outbox)
    }
    // A refusal may keep what it wrote; then its outbox counts too.
    if result.isKept { deliver(outbox, scope: scope) }
    return try result.get()
  }

  /// After the commit, so that rolled-back changes are never announced.
  private func deliver(_ outbox: Outbox, scope: Scope) {
    // The mails of a test are for that test, and its project ends with it.
    let level: Logger.Level = ProjectID.isRandom(scope.projectId) ? .debug : .info
    for line in outbox.lines { logger.log(level: level, "\(line)") }
    for warning in outbox.warnings { logger.warning("\(warning)") }
    for notice in outbox.notices where notices.isFirst(notice) { logger.warning("\(notice.text)") }
    server.changes.publish(outbox.changes)
    events.users(outbox.userEvents, project: scope.projectId)
  }

  private func context(
    _ call: IncomingCall, caller: Caller, scope: Scope
  ) -> Context {
    var context = Context(
      now: server.clocks.now(of: scope.projectId), caller: caller, baseURL: hosts.baseURL(call),
      locale: call.headers[.firebaseLocale], acceptLanguage: call.headers[.acceptLanguage],
      userAgent: call.headers[.userAgent], accept: call.headers[.accept],
      remoteAddress: call.remoteAddress, isOfForeignPage: Cors.isForeign(call),
      presentedToken: scope.presentedToken,
      issuesUnsignedTokens: call.servedPort.tokenMode == .none, logger: logger)
    context.authorization = call.authorization
    context.cookie = call.headers[.cookie]
    context.installation = call.headers[.installation]
    return context
  }
}

/// Which warnings a run of the server has given. A class, because requests of all threads share it.
private final class GivenNotices: Sendable {
  private let given = Mutex<Set<Outbox.Notice>>([])

  func isFirst(_ notice: Outbox.Notice) -> Bool {
    given.withLock { $0.insert(notice).inserted }
  }
}

/// Batches the requests that one thread has read into one access to the store.
///
/// The store lets in one at a time. Threads that come for each request by itself find it taken more
/// often than not, and to fall asleep and be woken costs a fifth of what the request does. Those
/// that have come together go in together, and share a transaction: record 0023.
///
/// It owns one queue for each event loop. Work is added on that loop, and the queue is run there in
/// a later tick: NIO reads all sockets that are ready before it runs tasks, so by then the requests
/// that arrived with this one are in the queue, too.
private final class SharedTransactions: Sendable {
  /// What waits for the next tick of one loop. That loop empties it. It fills it, too, except where
  /// a request is carried out on another thread, such as one of `WorkPool`; so the lock is hardly
  /// ever waited for.
  private final class Queue: Sendable {
    private let work = Mutex<[SharedWork]>([])

    /// Whether there was none before.
    func add(_ more: SharedWork) -> Bool {
      work.withLock { work in
        work.append(more)
        return work.count == 1
      }
    }

    func removeAll() -> [SharedWork] {
      work.withLock { work in
        defer { work = [] }
        return work
      }
    }
  }

  private let store: Store
  private let loops = MultiThreadedEventLoopGroup.singleton
  private let queues: [ObjectIdentifier: Queue]

  init(_ store: Store) {
    self.store = store
    queues = Dictionary(
      uniqueKeysWithValues: loops.makeIterator().map { (ObjectIdentifier($0), Queue()) })
  }

  /// Runs the body after the requests that were read together with this one have reached the same
  /// point, and once the store is free. Only what needs the store should be in it: the others wait.
  ///
  /// - Parameter body: may run a second time, when all that it wrote has been undone; see
  ///   `SharedWork`. All else that it wants done belongs into its outbox.
  /// - Returns: how the body ended, and its outbox, of the run that counts.
  func transaction<Value: Sendable>(
    _ body: @escaping @Sendable (Transaction) -> (Result<Value, APIError>, Outbox)
  ) async -> (Result<Value, APIError>, Outbox) {
    await withCheckedContinuation { continuation in
      add(
        SharedWork { transaction in
          let made = body(transaction)
          return SharedWork.Attempt(made.0) { continuation.resume(returning: made) }
        } failing: { error in
          continuation.resume(returning: (.failure(error), Outbox()))
        })
    }
  }

  /// The first request in an empty queue schedules it.
  private func add(_ work: SharedWork) {
    // The loop of this thread; any one for a thread that has none.
    let loop = loops.any()
    guard let queue = queues[ObjectIdentifier(loop)] else { return store.run([work]) }
    guard queue.add(work) else { return }
    // After the requests that this tick has read.
    loop.execute { [store] in store.run(queue.removeAll()) }
  }
}
