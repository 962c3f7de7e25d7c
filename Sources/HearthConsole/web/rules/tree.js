// How an expression of the rules was evaluated: each part of it, with its value.

import { h, heading, table, tag } from "../core/ui.js";

function kindOf({ value, error, evaluated }) {
  if (error) return "bad";
  if (evaluated === false) return "";
  return { true: "good", false: "bad" }[value] ?? "";
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether the guilty part is this one or below it. */
const holds = (part, guilty) =>
  same(part.range, guilty) || (part.children ?? []).some((child) => holds(child, guilty));

function line(part, guilty) {
  const { source = "", value, error, evaluated, range } = part;
  const title = range?.start && `line ${range.start.line}:${range.start.column}`;
  const code = h("code", { title }, source);
  return [
    guilty && same(range, guilty) ? h("mark", {}, code) : code,
    " ",
    evaluated === false ? h("small", {}, "not evaluated") : tag(error ?? value ?? "", kindOf(part)),
  ];
}

/** A part with those below it, which are folded where the guilty one is not among them. */
function node(part, guilty) {
  const { evaluated, children = [] } = part;
  const below = children.length > 0 && h("ul", {}, children.map((child) => node(child, guilty)));
  const isFolded = below && guilty && !holds(part, guilty);
  return h(
    "li",
    { class: evaluated === false && "off" },
    isFolded
      ? h("details", {}, h("summary", {}, line(part, guilty)), below)
      : [line(part, guilty), below],
  );
}

/** A sentence, with what is between backticks as code. */
export const sentence = (words) =>
  words.split("\x60").map((part, index) => (index % 2 ? h("code", {}, part) : part));

/** One `allow`: why it refused, and how each part came out. */
function allowed({ line: number, outcome, message, because, guilty, tree }) {
  return h(
    "details",
    { open: true },
    h("summary", {}, `allow in line ${number}: ${outcome}`),
    because && h("p.because", {}, sentence(because)),
    outcome === "error" && message && !because && h("p.hint", {}, message),
    tree && h("ul.tree", { "aria-label": "Evaluation" }, node(tree, guilty)),
  );
}

/** Each `allow` that was tried, with its values, and the documents that were read for them. */
export const evaluation = ({ allows = [], reads = [] }, { isTold = false } = {}) => [
  // What the first one above says is not repeated.
  ...allows.map((one, index) => allowed(isTold && !index ? { ...one, because: "" } : one)),
  ...(reads.length
    ? [
      heading("Documents read", 3),
      table(
        "Documents read",
        [["Path"], ["By"], ["Found"]],
        reads.map((
          { path, kind, found },
        ) => [h("code", {}, path), `${kind}()`, found ? "yes" : "no"]),
      ),
    ]
    : []),
];
