import HearthCrypto
import HearthErrors
import HearthFirestoreProtos
import HearthWire
import SwiftProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The place of the last document that was handed out, by the values that order it: what comes and
/// goes in front of it moves no page.
struct PageToken {
  /// What production takes a token for: pages of the same listing.
  struct Listing {
    let digest: String

    init(_ parts: [String]) {
      let hash = Digest.sha256.hash(Array(parts.joined(separator: "\u{0}").utf8))
      digest = Base64.encodeURL(Array(hash.prefix(9)))
    }

    init(_ request: ListDocumentsRequest) {
      self.init(
        [request.parent, request.collectionID, request.orderBy, String(request.showMissing)]
          + request.mask.fieldPaths)
    }
  }

  static let fault = APIError.invalid("invalid page token")
  private static let otherListing = APIError.invalid("Invalid page token.")

  let place: [Value]
  private let listing: Listing?

  init(place: [Value], of listing: Listing? = nil) {
    self.place = place
    self.listing = listing
  }

  /// Nil for the first page.
  init?(_ text: String, of listing: Listing? = nil) throws(APIError) {
    guard !text.isEmpty else { return nil }
    guard let bytes = Base64.decode(text),
      let list = try? ArrayValue(serializedBytes: bytes), !list.values.isEmpty
    else { throw Self.fault }
    self.listing = listing
    guard let listing else {
      place = list.values
      return
    }
    guard list.values.last?.stringValue == listing.digest else { throw Self.otherListing }
    place = list.values.dropLast()
  }

  func text() throws(APIError) -> String {
    var values = place
    if let listing { values.append(.with { $0.stringValue = listing.digest }) }
    do {
      return Base64.encodeURL(try ArrayValue.with { $0.values = values }.serializedBytes())
    } catch {
      throw APIError(.internalError, message: "\(error)")
    }
  }
}
