// How an expression of the rules was evaluated: each part of it, with its value.

import { h, heading, table, tag } from "../core/ui.js";

const kindOf = ({ value, error, evaluated }) => (error ? "bad" : evaluated === false ? "" :
  value === "true" ? "good" : value === "false" ? "bad" : "");

function node(part) {
  const { source = "", value, error, evaluated, children = [], range } = part;
  const line = range?.start ? `${range.start.line}:${range.start.column}` : undefined;
  return h("li", { class: evaluated === false && "off" }, h("code", { title: line &&
        `line ${line}` }, source), " ",
    evaluated === false ? h("small", {}, "not evaluated") :
    tag(error ?? value ?? "", kindOf(part)),
    children.length > 0 && h("ul", {}, children.map(node)));
}

const expressionTree = (root) => h("ul.tree", { "aria-label": "Evaluation" }, node(root));

/** Each `allow` that was tried, with its values, and the documents that were read for them. */
export const evaluation = ({ allows = [], reads = [] }) => [
  ...allows.map(({ line, outcome, message, tree }) => h("details", { open: true },
    h("summary", {}, `allow in line ${line}: ${outcome}`),
    outcome === "error" && message && h("p.hint", {}, message), tree && expressionTree(tree))),
  ...(reads.length ? [heading("Documents read", 3), table("Documents read", [
    ["Path"],
    ["By"],
    ["Found"]
  ], reads.map(({ path, kind, found }) => [h("code", {}, path), `${kind}()`, found ? "yes" :
    "no"
  ]))] : [])
];
