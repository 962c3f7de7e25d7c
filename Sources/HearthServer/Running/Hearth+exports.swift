import HearthExports
import HearthIdentityToolkit
import HearthOperations
import HearthSeeds
import HearthSettings
import Logging

/// The import at the start, and the export at the end.
extension Hearth {
  /// Takes back what a killed run has imported in part. Before the import, which would meet it.
  func undoUnfinishedImports() throws {
    for project in try ImportJournal.recover(exports.store, server: exports.server) {
      logger.warning("An import into \(project) did not finish and was undone.")
    }
  }

  /// Imports what the configuration names, before a port is open: no client sees half of it.
  ///
  /// - Throws: what is wrong with the files, after which nothing of them stays.
  func importAll() async throws {
    guard let path = configuration.importPath else { return }
    let line = ProgressLine()
    let report = try await exports.importAll(path, into: configuration.project) {
      documents, bytes in
      line.show("read \(documents) documents, \(bytes >> 20) MiB", at: documents)
    }
    line.clear()
    if let documents = report.documents {
      logger.info("Imported \(counted("document", count: documents)) from \(path).")
    }
    if let accounts = report.accounts { log(accounts, from: path) }
    self.report.hasImported = report.accounts != nil || report.documents != nil
    if !self.report.hasImported {
      // As with the official tools, which start all the same.
      logger.warning("\(path) has neither accounts nor documents to import. Nothing was imported.")
    }
  }

  private func counted(_ noun: String, count: Int) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private func log(_ report: AccountImporter.Report, from path: String) {
    for file in report.files {
      logger.info("\(counted("account", count: file.imported)) in \(file.path).")
    }
    logger.info("Imported \(counted("account", count: report.imported)) from \(path).")
    let isReadable = exports.server.exportsReadablePasswords(of: configuration.project)
    if let words = report.passwordNote(isReadable: isReadable) {
      logger.info("\(words)")
    }
    if report.lacksConfig {
      logger.warning("\(path) has no config.json; the project's settings are unchanged.")
    }
    for refusal in report.refusals { logger.warning("Not imported: \(refusal)") }
  }

  /// Applies the seed files in their order, on top of the import and of what `--data` has.
  ///
  /// - Throws: the first mistake of any of them, after which nothing of them stays.
  func readSeeds() async throws {
    let paths = configuration.seedPaths
    guard !paths.isEmpty else { return }
    let seeding = Seeding(
      exports: exports, faults: faults, project: configuration.project, keepsAccounts: true)
    let report = try await seeding.apply(paths.map { SeedFile(path: $0) })
    self.report.rulesOfSeed = report.rules
    for path in paths { logger.info("Loaded the seed \(path).") }
    if report.known > 0 {
      let users =
        report.known == 1
        ? "1 seed user already exists and was" : "\(report.known) seed users already exist and were"
      logger.info("\(users) left unchanged.")
    }
    for words in report.left { logger.warning("\(words)") }
  }

  /// Writes the export of the end. It is called by ``Ending`` on the thread that ends the server,
  /// and reports progress only now and then, since an export of many accounts takes long.
  func exportAll() throws {
    guard let directory = configuration.exportDirectory else { return }
    logger.info("Exporting to \(directory).")
    var told = (accounts: 0, documents: 0)
    let export = FolderExport(
      exports: exports, project: configuration.project, targets: Set(Exports.Target.allCases)
    ) { [self] accounts, documents in
      if accounts - told.accounts >= 20_000 {
        told.accounts = accounts
        logger.info("Exported \(accounts) accounts so far.")
      }
      if documents - told.documents >= 50_000 {
        told.documents = documents
        logger.info("Exported \(documents) documents so far.")
      }
    }
    let passwords = try export.write(to: directory)
    logger.info("Exported accounts and documents to \(directory).")
    if passwords.readable > 0, passwords.hashed > 0 {
      logger.info(
        """
        Exported passwords: \(passwords.readable) that the official emulator can use, and \
        \(passwords.hashed) that were set here and only Hearth can use.
        """)
    }
  }
}
