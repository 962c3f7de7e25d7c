import HTTPTypes
import HearthControl
import HearthErrors
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire

/// Answers and refusals in the form of OAuth, which differs from that of Google's other APIs.
enum OAuth {
  enum Refusal: String {
    case invalidRequest = "invalid_request"
    case invalidGrant = "invalid_grant"
    case invalidToken = "invalid_token"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case accessDenied = "access_denied"
  }

  static func answer(_ members: JSON) -> OutgoingReply {
    var reply = ReplyWriter.json(members)
    reply.headers[.cacheControl] = "no-store"
    return reply
  }

  static func refusal(_ refusal: Refusal, description: String) -> OutgoingReply {
    var reply = answer(envelope(refusal, description: description))
    reply.status = refusal == .accessDenied ? 403 : 400
    return reply
  }

  static func envelope(_ refusal: Refusal, description: String) -> JSON {
    .members(["error": .string(refusal.rawValue), "error_description": .string(description)])
  }

  static let bearer = "Bearer"
  /// Of an access token, in seconds.
  static let lifetime: Int64 = 3600
  /// The lifetime in answers: clients have to renew the token before it ends.
  static let toldLifetime = lifetime - 1
}

extension ServerRequest {
  /// The fields of a form; without a body, those of the query.
  var form: FormFields {
    call.body.isEmpty
      ? FormFields(parsing: call.query)
      : FormFields(parsing: String(decoding: call.body, as: UTF8.self))
  }

  /// What a body of JSON holds.
  func jsonBody() throws(APIError) -> JSON {
    guard let json = try? JSON.parse(call.body), json.object != nil else {
      throw APIError(.parseError, message: "Invalid JSON payload received.")
    }
    return json
  }

  /// Whether a page of another origin makes the call. Servers do that; pages would get a token of the
  /// owner's.
  var isOfForeignPage: Bool { Cors.isForeign(call) }

  /// What pages of other origins get.
  static let refusedPage = OAuth.refusal(
    .accessDenied,
    description: "Hearth answers this to programs only, and not to pages of other origins.")
}

/// What the endpoints of Google's tokens work with.
struct GoogleTokens: ServerParts {
  let server: ServerFacts
  let keys: KeySet
  let hosts: Hosts

  static func parts(of server: ServerContext) -> GoogleTokens {
    GoogleTokens(server: server.server, keys: server.keys, hosts: server.network.hosts)
  }

  /// The clock of the service account's tokens: that of its project.
  var accountTime: Timestamp { server.clocks.now(of: server.serviceAccounts.projectId) }

  /// The times at which an assertion may be valid: clients sign by the machine's clock.
  var assertionTimes: [Timestamp] { [accountTime, server.clock.now] }
}
