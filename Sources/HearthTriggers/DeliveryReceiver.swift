/// Who gets deliveries: a function, a webhook, or all functions of a project at once.
package struct DeliveryReceiver: Hashable, Sendable {
  package let project: String
  /// For the log.
  package let name: String
  /// Tells apart those with the same name, for example a webhook and the one that replaced it.
  private let number: Int

  package init(project: String, name: String, number: Int = 0) {
    self.project = project
    self.name = name
    self.number = number
  }
}
