import HearthWire

/// A yes or no of an account. The wire tells "no" from "never set": the latter is absent.
package enum AccountFlag: Sendable, ExpressibleByBooleanLiteral {
  case unset, no, yes

  package init(_ value: Bool?) {
    switch value {
    case true?: self = .yes
    case false?: self = .no
    case nil: self = .unset
    }
  }

  package init(booleanLiteral value: Bool) { self.init(value) }

  var json: JSON? {
    switch self {
    case .yes: true
    case .no: false
    case .unset: nil
    }
  }
}
