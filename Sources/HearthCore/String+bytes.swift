extension String {
  /// Whether both are the same text to the letter, as other languages and the store compare. `==`
  /// also takes canonically equivalent texts for equal, such as "ä" and "a" with a combining mark.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
