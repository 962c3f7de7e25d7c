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
    /// What the SDK says of itself, or else the program; nil where nothing does.
    var sdk: String?
    var program: String?
  }

  /// Operations of Auth that App Check protects.
  private static let protected: Set<String> = Set(
    [
      "createAuthUri", "sendVerificationCode", "signInWithCustomToken", "signInWithEmailLink",
      "signInWithIdp", "signInWithPassword", "signInWithPhoneNumber", "signUp", "delete", "lookup",
      "sendOobCode", "resetPassword", "update",
    ].map { "identitytoolkit.accounts.\($0)" })

  /// Checks a call of Auth. An administrator needs no app; whether the bearer token is one's, the
  /// next step says.
  func checkApp(
    _ call: IncomingCall, of route: Route, variables: [String: String],
    record: inout CallRecord
  ) async throws(APIError) {
    guard server.appCheck.isAsked, Self.protected.contains(route.id) else { return }
    if let bearer = call.headers[.authorization], bearer.prefix(7).lowercased() == "bearer " {
      return
    }
    let app = PresentedApp(call)
    let project = named(in: call, variables) ?? server.defaultProject
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
    server.appCheck.report.note(
      verdict.kind(hasSDK: app.sdk != nil),
      of: AppCheckReport.Call(service, operation: operation, caller: app.caller(verdict)),
      in: project, verdict: verdict.name, isRefused: isRefused)
    if isRefused {
      logger.warning("App Check refused \(operation) in \(project): the token is \(verdict.name).")
    }
    return isRefused
  }
}

extension Admission.PresentedApp {
  fileprivate func caller(_ verdict: AppCheckVerdict) -> String {
    if case .verified(let app) = verdict { return app }
    return sdk ?? program ?? "unknown"
  }

  init(_ call: IncomingCall) {
    self.init(
      token: call.headers[.appCheck],
      sdk: call.headers[.clientVersion] ?? call.headers[.googClient],
      program: call.headers[.userAgent])
  }
}
