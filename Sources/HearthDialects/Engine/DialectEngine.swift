package import HearthCrypto
package import HearthErrors
package import HearthTime
import HearthWire

/// Plays the back end of one definition.
package struct DialectEngine: Sendable {
  package let definition: DialectDefinition
  /// The endpoints that each kind of client sees; clients of no kind see the ones under "".
  private let routes: [String: RouteTable<Endpoint>]

  package init(_ definition: DialectDefinition) {
    self.definition = definition
    let names = definition.clients.isEmpty ? [""] : definition.clients.map(\.name)
    routes = Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, RouteTable(definition.endpoints.filter { $0.serves(name) }))
      })
  }

  /// What the request calls; nil when it lies outside the definition's prefix.
  package func call(_ request: DialectRequest) -> DialectCall? {
    guard let path = definition.place.remainder(of: request.path) else { return nil }
    let client = definition.clients.first { $0.matches(request) }?.name ?? ""
    // The server leaves the body out of an answer to HEAD.
    let method = request.method == "HEAD" ? "GET" : request.method
    let match = routes[client]?.match(method: method, path: path.isEmpty ? "/" : path) ?? .unknown
    return DialectCall(definition: definition, request: request, client: client, match: match)
  }

  package func answer(
    _ call: DialectCall, in backEnd: some DialectBackEnd, now: Timestamp,
    random: Randomness = Randomness()
  ) throws(APIError) -> DialectAnswer {
    switch call.match {
    case .unknown: return common(.notFound, call: call, now: now)
    case .wrongMethod(let allowed):
      return common(.methodNotAllowed, call: call, now: now)
        .adding([(name: "Allow", value: Set(allowed).sorted().joined(separator: ", "))])
    case .found(let endpoint, _):
      let exchange = DialectExchange(
        call: call, endpoint: endpoint, backEnd: backEnd, now: now, random: random)
      return answer(try exchange.verdict(), endpoint: endpoint, call: call, now: now)
    }
  }
}

extension DialectEngine {
  private func common(_ outcome: Outcome, call: DialectCall, now: Timestamp) -> DialectAnswer {
    let reply = outcome.chain.lazy.compactMap { definition.replies[$0] }.first
    let values = call.commonValues(now)
    return reply?.answer(to: outcome, values: values, language: call.language)
      ?? DialectAnswer(outcome: outcome, status: 404, headers: [], body: nil)
  }

  private func answer(
    _ verdict: Verdict, endpoint: Endpoint, call: DialectCall, now: Timestamp
  ) -> DialectAnswer {
    guard let reply = endpoint.replies[verdict.outcome] else {
      preconditionFailure("\(endpoint.procedure) cannot end as \(verdict.outcome)")
    }
    var values = call.commonValues(now)
    values.merge(verdict.values)
    let answer = reply.answer(to: verdict.outcome, values: values, language: call.language)
    guard let seconds = values[.retryAfter]?.integer else { return answer }
    return answer.adding([(name: "Retry-After", value: String(seconds))])
  }
}

extension DialectAnswer {
  fileprivate func adding(_ more: [Header]) -> DialectAnswer {
    DialectAnswer(outcome: outcome, status: status, headers: headers + more, body: body)
  }
}
