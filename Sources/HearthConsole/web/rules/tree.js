// How an expression of the rules was evaluated: each part of it, with its value.

import { h, tag } from "../core/ui.js";

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

export const expressionTree = (root) => h("ul.tree", { "aria-label": "Evaluation" }, node(root));
