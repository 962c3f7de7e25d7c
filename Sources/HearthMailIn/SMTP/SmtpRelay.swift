import HearthErrors
import HearthMailbox
import HearthObservation
package import HearthOperations
package import HearthSQLite
package import HearthSettings
import HearthTime
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A mail on its way to a real mail server.
package struct RelayedMail: Sendable {
  /// The envelope's sender, without brackets; empty for a mail about a mail.
  package let sender: String
  /// At least one.
  package let recipients: [String]
  /// As RFC 5322 has it; the ends of its lines may be of any kind.
  package let content: [UInt8]

  package init(sender: String, recipients: [String], content: [UInt8]) {
    self.sender = sender
    self.recipients = recipients
    self.content = content
  }
}

/// Forwards captured mails to a real mail server, in the background: the server may be down.
///
/// Only the mails that Hearth writes. What an app sent by itself goes out when somebody releases it:
/// otherwise the tests of an app would mail people as soon as a relay is set.
///
/// A value without state: the position of the relay is local to ``run()``, and each delivery has a
/// connection of its own.
package struct SmtpRelay: Sendable {
  package let address: RelayAddress
  /// Patterns in lower case; none allow every recipient.
  private let allowed: [FaultPattern]
  private let store: Store
  private let server: ServerFacts
  private let logger: Logger

  /// Nil where no relay is set.
  ///
  /// - Throws: ``ConfigurationError`` when its address cannot be used.
  package init?(
    _ configuration: Configuration, store: Store, server: ServerFacts, logger: Logger
  ) throws(ConfigurationError) {
    guard let text = configuration.smtpRelay else { return nil }
    address = try RelayAddress(text)
    guard !address.isPort(of: configuration) else {
      throw ConfigurationError(
        "--smtp-relay: \(address) is a port of this server, and its mails would come back")
    }
    allowed = configuration.relayRecipients.map { FaultPattern(text: $0.lowercased()) }
    self.store = store
    self.server = server
    self.logger = logger
  }

  /// Whether the relay may send to an address.
  ///
  /// Upper and lower case do not count, although RFC 5321 lets local parts differ by them.
  package func allows(_ recipient: String) -> Bool {
    allowed.isEmpty || allowed.contains { $0.matches(recipient.lowercased()) }
  }

  /// Relays until the server stops. A mail that cannot be handed on is tried again, twice.
  ///
  /// Changes only wake it: a burst may be longer than their buffer, but every mail is in the store.
  package func run() async {
    // Before the newest number is read, so that no mail falls between the two.
    let changes = server.changes.stream()
    // Mails of an earlier run are not sent again.
    var last =
      (try? store.transaction { transaction throws(APIError) in
        try transaction.newestMessageID()
      }) ?? 0
    for await change in changes.cancelOnGracefulShutdown() {
      guard case .messageCaptured = change else { continue }
      let mails =
        (try? store.transaction { transaction throws(APIError) in
          try transaction.messages(after: last)
        }) ?? []
      for mail in mails {
        // Counted as done before it is tried: a mail that fails must not hold up those after it.
        last = mail.id
        if mail.type != TextMessage.type, mail.isRelayed { await relay(mail) }
      }
    }
  }

  private func relay(_ mail: Message) async {
    guard allows(mail.recipient) else { return }
    let relayed = RelayedMail(
      sender: mail.sender, recipients: [mail.recipient], content: Array(mail.mime.utf8))
    // Trying again would not help.
    guard RelayDialogue.canSay(relayed) else {
      logger.warning(
        "Mail \(mail.id) was not relayed: an address needs SMTPUTF8, or is not an address")
      return
    }
    for attempt in 1...3 {
      do {
        _ = try await deliver(relayed)
        return
      } catch {
        if Task.isCancelled || Task.isShuttingDownGracefully { return }
        logger.warning("Mail \(mail.id) was not relayed to \(address): \(error)")
        guard attempt < 3 else { return }
        // By the server's clock: to set the time of a project does not hold a mail up.
        await server.clock.wait(until: server.clock.now + .milliseconds(200 * attempt))
      }
    }
  }

  /// Hands a mail on, once.
  ///
  /// - Returns: the recipients that the mail server refused, with its words.
  /// - Throws: what kept the mail from all of them.
  ///
  /// It takes 5 seconds to connect at most, and 20 from then on.
  package func deliver(_ mail: RelayedMail) async throws -> [(recipient: String, reply: String)] {
    let (address, clock) = (address, server.clock)
    let tls = try address.security == .none ? nil : NIOSSLContext(configuration: .clientDefault)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(5))
      .connect(host: address.host, port: address.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls, address.security == .tls {
            try RelayDialogue.addTLS(tls, host: address.host, to: channel)
          }
          try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
          return try NIOAsyncChannel<String, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    // The first of the two that ends decides. A cancelled dialogue closes its connection.
    return try await withThrowingTaskGroup(of: [(recipient: String, reply: String)].self) { group in
      group.addTask {
        try await channel.executeThenClose { input, output in
          var dialogue = RelayDialogue(
            replies: input.makeAsyncIterator(), output: output, channel: channel.channel,
            address: address, tls: tls)
          return try await dialogue.send(mail)
        }
      }
      group.addTask {
        await clock.wait(until: clock.now + .seconds(20))
        throw RelayFailure("no answer within 20 seconds")
      }
      defer { group.cancelAll() }
      do {
        return try await group.next() ?? []
      } catch NIOSSLError.handshakeFailed(let reason) {
        // NIOSSL reports the reason of BoringSSL as text only.
        let isUntrusted = "\(reason)".contains("CERTIFICATE_VERIFY_FAILED")
        throw RelayFailure(
          isUntrusted ? "its certificate is not trusted" : "TLS failed: \(reason)")
      }
    }
  }
}

extension Message {
  /// Whether it is a mail that Hearth sends, and not one that an app has sent or that nobody sends.
  fileprivate var isRelayed: Bool { source == nil && isSent }
}

extension TLSConfiguration {
  /// What the system trusts, and what `SSL_CERT_FILE` names, as in other programs.
  fileprivate static var clientDefault: TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    if let path = getenv("SSL_CERT_FILE") {
      configuration.additionalTrustRoots = [.file(String(cString: path))]
    }
    // Servers that close without an alert would hold each delivery up.
    configuration.shutdownTimeout = .milliseconds(500)
    return configuration
  }
}
