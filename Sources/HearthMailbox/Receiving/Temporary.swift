package import HearthErrors
package import HearthOperations

extension ProjectTransaction {
  package func rawMail(_ id: Int64) throws(APIError) -> [UInt8]? { nil }
}
