import HTTPTypes
import HearthErrors
import HearthPages
import HearthSettings
import HearthTransport

/// What has to be set in an app on a phone: the page that the QR code of `--lan` opens. It holds no
/// secrets, as every machine in the network may open it.
enum GetSetupPage: ServerOperation {
  static func run(
    _ request: ServerRequest, with setup: PhoneSetup
  ) async throws -> OutgoingReply {
    guard request.call.servedPort.kind == .console, let network = setup.network.hosts.network else {
      throw APIError(.routeNotFound)
    }
    let authority = try setup.phoneAuthority()
    guard let addresses = await setup.overview.addresses() else { throw APIError(.routeNotFound) }
    let isSecure = setup.overview.configuration.usesTLS
    return reply(
      SetupPage(
        app: SetupSnippets(
          host: network.name, authPort: addresses.authPort, firestorePort: addresses.firestorePort,
          isSecure: isSecure),
        url: network.setupURL(addresses, isSecure: isSecure), authority: authority))
  }

  private static func reply(_ page: SetupPage) -> OutgoingReply {
    var reply = ReplyWriter.text(page.html, contentType: HTML.contentType)
    for header in HTML.headersOfStillPages {
      if let name = HTTPField.Name(header.name) { reply.headers[name] = header.value }
    }
    return reply
  }
}
