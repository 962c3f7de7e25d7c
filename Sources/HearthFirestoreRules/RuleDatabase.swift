/// Where `get()`, `exists()`, `getAfter()` and `existsAfter()` find documents.
package protocol RuleDatabase {
  /// Finds one document.
  ///
  /// - Parameters:
  ///   - path: the segments below `/databases/{database}/documents`.
  ///   - afterWrite: asks for the state that the whole batch or transaction would leave behind.
  /// - Returns: the document as made by ``RuleValue/document(at:in:data:)``, nil if there is none.
  /// - Throws: if it cannot be told; the request is denied then.
  func document(_ path: [String], afterWrite: Bool) throws -> RuleValue?
}
