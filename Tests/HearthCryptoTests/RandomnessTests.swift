import HearthCrypto
import Testing

@Suite struct `A source of random values` {
  private let random = Randomness()

  /// The system gives 256 bytes at a time.
  @Test(arguments: [0, 1, 255, 256, 257, 1000]) func `has as many bytes as asked`(count: Int) {
    #expect(random.bytes(count).count == count)
    #expect(random.alphanumeric(count).utf8.count == count)
  }

  @Test func `draws every character of an alphabet, and no other`() {
    let alphabet = "abcdefg"
    let text = random.text(2000, of: Array(alphabet.utf8))
    #expect(Set(text) == Set(alphabet))
  }

  @Test func `has no text of an alphabet without characters`() {
    #expect(random.text(10, of: []).isEmpty)
  }

  @Test func `makes UUIDs of version 4`() {
    let ids = (0..<100).map { _ in random.uuid() }
    #expect(Set(ids).count == 100)
    for id in ids {
      #expect(
        id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
          != nil)
    }
  }
}

@Suite struct `The sequence SplitMix` {
  /// The first numbers that the authors' program prints for this seed.
  @Test func `is the sequence of its authors`() {
    var numbers = SplitMix(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in numbers.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func `has fractions below one`() {
    var numbers = SplitMix(seed: 1)
    #expect((0..<1000).allSatisfy { _ in (0..<1).contains(numbers.fraction()) })
  }
}
