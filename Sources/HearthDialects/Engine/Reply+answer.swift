import HearthWire

extension Reply {
  func answer(to outcome: Outcome, values: Values, language: String) -> DialectAnswer {
    var values = values
    if let message { values[.message] = .string(message.template(in: language).text(values)) }
    return DialectAnswer(
      outcome: outcome, status: status,
      headers: headers.map { (name: $0.name, value: $0.value.text(values).onOneLine) },
      body: body?.filled(values))
  }
}

extension String {
  /// Without control characters: what a client sent must not begin a header of its own.
  var onOneLine: String {
    String(decoding: utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
