/// First in, first out; taking the first does not move the others each time.
struct Fifo<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head]
    // The element is let go at once, and not when the array is moved.
    elements[head] = nil
    head += 1
    // Moved when half of it is empty, so that each element is moved once on average.
    if head == elements.count || head >= 64 && head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  /// Removes those that do not fit.
  mutating func keep(where fits: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map(fits) ?? false }
    head = 0
  }
}
