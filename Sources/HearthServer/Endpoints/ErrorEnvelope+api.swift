import HTTPTypes
import HearthErrors
import HearthOperations
import HearthTransport

extension ErrorEnvelope {
  /// That of an API.
  init(_ api: Route.API, answers: Switches.Program) {
    self =
      switch (api, answers) {
      case (.identityToolkitV1, .production): .production(listsErrors: true)
      case (.identityToolkitV2, .production), (.secureToken, .production), (.installations, _):
        .production(listsErrors: false)
      case (.identityToolkitV1, .emulator), (.identityToolkitV2, .emulator),
        (.secureToken, .emulator), (.other, _):
        .identityToolkit
      case (.appCheck, _): .firestore
      case (.messaging, _): .messaging
      case (.instanceID, _): .instanceID
      case (.oauth, _): .oauth
      case (.metadata, _): .text
      }
  }
}
