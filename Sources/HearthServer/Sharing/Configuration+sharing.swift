import HearthControl
import HearthErrors
import HearthMailIn
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSettings
import HearthSharing
import HearthTime
import HearthWire
import Logging

extension MailIntake {
  /// Mail for projects that are open, on a shared server.
  init(
    store: Store, server: ServerFacts, faults: Faults, clock: any HearthClock,
    recorder: CallRecorder, sharing: Sharing?
  ) {
    self.init(
      store: store, server: server, faults: MailFaults(faults: faults, clock: clock),
      requests: recorder.requests,
      projectIds: { transaction throws(APIError) in try Schema.projectIds(in: transaction) },
      sharing: sharing?.projects)
  }
}

extension Configuration {
  /// Nil without `--require-token`.
  func sharing(
    _ store: Store, clock: any HearthClock, logger: Logger
  ) throws(APIError) -> Sharing? {
    guard requiresToken else { return nil }
    let projects = try store.transaction { transaction throws(APIError) in
      let projects = try SharedProject.stored(in: transaction)
      try ByteQuotas.begin(in: transaction)
      for project in projects { try ByteQuotas.watch(project, in: transaction) }
      return projects
    }
    return Sharing(
      SharedProjects(
        operatorToken: operatorToken ?? TokenHash.makeToken(), clock: clock, opened: projects),
      defaultProject: project, logger: logger)
  }
}
