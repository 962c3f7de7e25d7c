import HTTPTypes
import HearthAppCheck
import HearthErrors
import HearthFirestore
import HearthOperations
import HearthTransport
import Logging

/// The step of App Check. It comes before the request's own credential is looked at, as in
/// production.
extension Admission {
  /// What a call shows of its app.
  struct PresentedApp: Sendable {
    /// The header `X-Firebase-AppCheck`. Several of them, joined with commas, are malformed.
    let token: String?
    /// What the SDK says of itself, or else the program. It is only read where no app is known.
    fileprivate let client: @Sendable () -> (sdk: String?, program: String?)

    init(
      token: String?,
      client: @escaping @Sendable () -> (sdk: String?, program: String?)
    ) {
      self.token = token
      self.client = client
    }
  }

  /// Checks a call of Auth that App Check protects. An administrator needs no app; whether the bearer
  /// token is one's, the next step says.
  func checkApp(
    _ call: IncomingCall, of route: Route, project: String?, record: inout CallRecord
  ) async throws(APIError) {
    guard server.appCheck.isAsked else { return }
    if let bearer = call.authorization, bearer.prefix(7).lowercased() == "bearer " {
      return
    }
    let app = PresentedApp(call)
    let project = project ?? server.defaultProject
    // A refusal is noted with the project that it is for.
    record.project = project
    if await isRefused(app, by: .auth, operation: route.id, project: project, record: &record) {
      throw APIError(.appCheckRefused)
    }
  }

  /// What Firestore does with a caller whose app does not count: production does not say that it is
  /// for App Check.
  func checkApp(
    _ app: PresentedApp, of caller: Result<FirestoreCaller, APIError>, operation: String,
    project: String, record: inout CallRecord
  ) async -> Result<FirestoreCaller, APIError> {
    guard server.appCheck.isAsked else { return caller }
    if case .success(.owner) = caller { return caller }
    let isRefused = await isRefused(
      app, by: .firestore, operation: operation, project: project, record: &record)
    return isRefused ? .failure(Self.appRefusal) : caller
  }

  static let appRefusal = APIError(
    .permissionDenied, message: "Missing or insufficient permissions.")

  /// Judges, counts and notes.
  private func isRefused(
    _ app: PresentedApp, by service: AppCheckService, operation: String, project: String,
    record: inout CallRecord
  ) async -> Bool {
    let switches = server.switches(of: project, in: store)
    let mode = switches.enforcement(of: service)
    guard mode != .off else { return false }
    let consumes = service == .auth && switches.appCheckReplay != .off
    let verdict =
      consumes
      ? await appCheck.consuming(app.token, in: project)
      : await appCheck.verdict(on: app.token, in: project)
    // A token that was used counts where only that is watched.
    let counts =
      verdict.isVerified || verdict == .consumed && switches.appCheckReplay != .enforce
    let isRefused = mode == .enforce && !counts
    record.appCheck = verdict.name
    let (caller, hasSDK) = app.caller(verdict)
    server.appCheck.report.note(
      verdict.kind(hasSDK: hasSDK),
      of: AppCheckReport.Call(service, operation: operation, caller: caller),
      in: project, verdict: verdict.name, isRefused: isRefused)
    if isRefused {
      logger.warning("App Check refused \(operation) in \(project): the token is \(verdict.name).")
    }
    return isRefused
  }
}

extension Admission.PresentedApp {
  fileprivate func caller(_ verdict: AppCheckVerdict) -> (name: String, hasSDK: Bool) {
    if case .verified(let app) = verdict { return (app, true) }
    let (sdk, program) = client()
    return (sdk ?? program ?? "unknown", sdk != nil)
  }

  init(_ call: IncomingCall) {
    let headers = call.headers
    self.init(token: headers[.appCheck]) {
      (headers[.clientVersion] ?? headers[.googClient], headers[.userAgent])
    }
  }
}
