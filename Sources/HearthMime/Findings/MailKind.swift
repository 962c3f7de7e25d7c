/// What a mail is for, by the words of its subject and of the link's label.
enum MailKind {
  static func of(_ content: MailContent, link: LinkCandidate?, hasCode: Bool)
    -> MailFindings.Kind
  {
    let subject = content.lines[0].scalars[...]
    if let kind = kind(subject, hasLink: link != nil, hasCode: hasCode) { return kind }
    if let link {
      let label = FoldedText.fold(
        link.label.prefix(200) + " . " + link.href.prefix(300).replacing("_", with: " "))
      if let kind = kind(label[...], hasLink: true, hasCode: hasCode) { return kind }
      if !hasCode, KindVocabulary.verifyButtons.isIn(String(link.label.prefix(200))) {
        return .verify
      }
    }
    for line in content.lines.dropFirst().prefix(12) {
      if let kind = kind(line.scalars.prefix(300), hasLink: link != nil, hasCode: hasCode) {
        return kind
      }
    }
    return hasCode ? .otp : link == nil ? .none : .magic
  }

  private static func kind(
    _ text: ArraySlice<Unicode.Scalar>, hasLink: Bool, hasCode: Bool
  ) -> MailFindings.Kind? {
    if KindVocabulary.reset.isIn(text) { return .reset }
    if isAboutAddress(text, hasCode: hasCode) { return .verify }
    if KindVocabulary.magic.isIn(text) { return hasLink || !hasCode ? .magic : .otp }
    return hasCode && KindVocabulary.otp.isIn(text) ? .otp : nil
  }

  /// "Your confirmation code" asks for a code, "Confirm your address" for the address.
  private static func isAboutAddress(_ text: ArraySlice<Unicode.Scalar>, hasCode: Bool) -> Bool {
    let hits = KindVocabulary.verify.hits(in: text)
    guard hasCode, !hits.isEmpty else { return !hits.isEmpty }
    let codes = CodeVocabulary.keywords.hits(in: text)
    return hits.contains { hit in
      !codes.contains { $0.lowerBound <= hit.upperBound + 1 && hit.lowerBound <= $0.upperBound + 1 }
    }
  }

  /// Whether the mail says what was done, and asks for nothing.
  static func isReport(_ content: MailContent) -> Bool {
    KindVocabulary.report.isIn(content.lines[0].scalars[...])
  }
}
