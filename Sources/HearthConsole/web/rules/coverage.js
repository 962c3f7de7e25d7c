// How often each line of the rules was evaluated, and to what.

/** Adds up the values of an expression and of all below it, per line, from the official report. */
function visit({ sourcePosition: { line }, values = [], children = [] }, lines, isTop) {
  const known = lines.get(line) ?? { total: 0, values: {} };
  lines.set(line, known);
  for (const { value, count } of isTop ? values : []) {
    const name = value.boolValue === undefined
      ? Object.keys(value)[0]?.replace(/Value$/, "") ??
        "value"
      : String(value.boolValue);
    known.total += count;
    known.values[name] = (known.values[name] ?? 0) + count;
  }
  for (const child of children) visit(child, lines, child.sourcePosition.line !== line);
}

/** What the official report says of each line: line → { label, kind, words, isAsked }. */
export function lineCounts({ report = [] }) {
  const lines = new Map();
  for (const part of report) visit(part, lines, true);
  return new Map([...lines].map(([line, { total, values }]) => [line, {
    label: total ? `×${total}` : "–",
    kind: !total
      ? "none"
      : values.true
      ? "good"
      : values.false || values.undefined
      ? "bad"
      : "good",
    words: total
      ? Object.entries(values).map(([name, count]) => `${name} ${count}`).join(", ")
      : "never evaluated",
    isAsked: total > 0,
  }]));
}

export function share(counts) {
  const all = [...counts.values()];
  return all.length
    ? Math.round(100 * all.filter(({ kind }) => kind !== "none").length / all.length)
    : 0;
}
