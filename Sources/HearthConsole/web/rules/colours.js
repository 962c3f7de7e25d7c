// The words of security rules by what they are, for their colours.

const pattern = new RegExp(
  [
    "(?<note>\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?(?:\\*\\/|$))",
    "(?<text>'(?:[^'\\\\\\n]|\\\\.)*'?|\"(?:[^\"\\\\\\n]|\\\\.)*\"?)",
    "(?<key>\\b(?:service|match|allow|if|function|return|let|is|in|rules_version)\\b)",
    "(?<name>\\b(?:read|write|get|list|create|update|delete|request|resource)\\b)",
    "(?<value>\\b(?:true|false|null|\\d+(?:\\.\\d+)?)\\b)",
    "(?<place>\\{[A-Za-z_]\\w*(?:=\\*\\*)?\\})",
  ].join("|"),
  "g",
);

/** The parts of a source, in order: [kind, text], with no kind for what has no colour. */
export function coloured(source) {
  const parts = [];
  let at = 0;
  for (const match of source.matchAll(pattern)) {
    if (match.index > at) parts.push(["", source.slice(at, match.index)]);
    const [[kind]] = Object.entries(match.groups).filter(([, text]) => text !== undefined);
    parts.push([kind, match[0]]);
    at = match.index + match[0].length;
  }
  if (at < source.length) parts.push(["", source.slice(at)]);
  return parts;
}
