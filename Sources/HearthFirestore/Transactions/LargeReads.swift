import HearthErrors
import HearthOperations

/// Reads that may come to many bytes, in an account of those that the server holds.
///
/// How much a request reads is known when it has read it. Where that does not fit beside other
/// answers, it is dropped, and read again when there is room.
enum LargeReads {
  /// What is thrown to leave a transaction. Nobody else sees it.
  private static let paused = APIError(.internalError, message: "There is no room for the answer.")

  /// Runs the body until there is room for what it reads. It may run several times, and may have no
  /// effects but what it returns.
  static func makeRoom<Value>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    while true {
      do throws(APIError) { return try await body() } catch {
        guard let answer = LargeAnswers.Answer.current, answer.wantsRoom else { throw error }
      }
      await LargeAnswers.Answer.current?.room()
      // It gets no room then.
      if Task.isCancelled { throw APIError(.unavailable, message: "The client is gone.") }
    }
  }

  /// To be called with the bytes that have been read, as they are in the store.
  ///
  /// - Throws: while there is no memory for them. The caller must then let go of what it has read.
  static func require(_ bytes: Int, isComplete: Bool = true) throws(APIError) {
    guard bytes > LargeAnswers.small, let answer = LargeAnswers.Answer.current,
      !answer.mayKeep(bytes, isComplete: isComplete)
    else { return }
    throw paused
  }
}

extension Documents {
  /// As `document(at:)`; adds how many bytes it has in the store.
  func document(at path: ResourcePath, bytes: inout Int) throws(APIError) -> StoredDocument? {
    let row = try row(at: path)
    bytes += row?.bytes ?? 0
    return row?.document
  }
}
