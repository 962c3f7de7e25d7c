/// What is wrong with a template, in the words of the library where those are known.
package struct HandlebarsError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
