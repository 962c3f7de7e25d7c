/// A value that can be written with Swift's literals: `["name": "Ann", "age": 41, "admin": true]`.
///
/// ``JSONValue`` and ``FirestoreValue`` are such values.
public protocol LiteralValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// `null`.
  static var null: Self { get }
  /// `true` or `false`.
  static func bool(_ value: Bool) -> Self
  /// A whole number.
  static func int(_ value: Int) -> Self
  /// Any other number.
  static func double(_ value: Double) -> Self
  /// A string.
  static func string(_ value: String) -> Self
  /// A list.
  static func array(_ elements: [Self]) -> Self
  /// A map from names to values. Of two values with the same name, the last one counts.
  static func map(_ members: [String: Self]) -> Self
}

extension LiteralValue {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A list.
  public init(arrayLiteral elements: Self...) { self = .array(elements) }
  /// A map.
  public init(dictionaryLiteral elements: (String, Self)...) {
    self = .map(Dictionary(elements) { $1 })
  }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}
