/// The order in which production names the fields of a refused query.
///
/// It is that of the buckets of a Java hash set. Recorded were names without dots, of up to twelve
/// fields.
enum BucketOrder {
  static func sort(_ names: [String]) -> [String] {
    var buckets = 16
    while names.count > buckets / 4 * 3 { buckets *= 2 }
    return names.enumerated()
      .map { (bucket: bucket(of: $0.element, of: buckets), place: $0.offset, name: $0.element) }
      .sorted { ($0.bucket, $0.place) < ($1.bucket, $1.place) }
      .map(\.name)
  }

  private static func bucket(of name: String, of count: Int) -> UInt32 {
    let text = name.utf16.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
    let hash = text &* 31 &+ 7
    return (hash ^ (hash >> 16)) & UInt32(count - 1)
  }
}
