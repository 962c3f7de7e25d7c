import HearthOperations
import Testing

@Suite struct `What happened` {
  private func change(_ number: Int) -> Change {
    .messageCaptured(project: "demo", id: Int64(number))
  }

  private func numbers(_ stream: AsyncStream<Change>) async -> [Int64] {
    var numbers: [Int64] = []
    for await change in stream {
      if case .messageCaptured(_, let id) = change { numbers.append(id) }
    }
    return numbers
  }

  @Test func `reaches all who listen, in order`() async {
    let changes = Changes()
    #expect(!changes.isWatched)
    let streams = [changes.stream(), changes.stream()]
    #expect(changes.isWatched)
    changes.publish([change(1), change(2)])
    changes.publish([])
    changes.publish([change(3)])
    changes.close()
    for stream in streams { #expect(await numbers(stream) == [1, 2, 3]) }
  }

  @Test func `is lost where it is too much for a listener, the oldest first`() async {
    let changes = Changes()
    let stream = changes.stream()
    changes.publish((1...Changes.capacity + 2).map(change))
    changes.close()
    let numbers = await numbers(stream)
    #expect(numbers.count == Changes.capacity && numbers.first == 3)
  }

  @Test func `ends for those who come late`() async {
    let changes = Changes()
    changes.close()
    #expect(await numbers(changes.stream()).isEmpty)
    #expect(!changes.isWatched)
  }
}
