// The HTML of a message against what mail programs bear.

import { h, hint, table, tag } from "../core/ui.js";
import { features, programs, source } from "./bearing.js";
import { harmless } from "./links.js";

/** The features that the HTML uses, with what programs make of each. */
export function findFeatures(html) {
  // Comments are conditions for Outlook, or nothing.
  const plain = html.replace(/<!--[^]*?-->/g, "");
  const sheets = [...plain.matchAll(/<style\b[^>]*>([^]*?)<\/style>/gi)].map(([, text]) => text);
  const styles = [...plain.matchAll(/\sstyle\s*=\s*("[^"]*"|'[^']*')/gi)].map(([, text]) => text);
  const css = [...sheets, ...styles].join("\n");
  const inside = new DOMParser().parseFromString(harmless(plain), "text/html");
  return features.filter(([, { css: pattern, selector }]) =>
    selector ? inside.querySelector(selector) : new RegExp(pattern, "i").test(css)
  ).filter(([, , bears]) => /[an]/.test(bears));
}

const named = (bears, letter) => programs.filter((_, index) => bears[index] === letter);

export function check({ html }) {
  const found = findFeatures(html);
  if (!found.length) return hint("Every mail program shows all that this mail uses.");
  return [
    table(
      "Mail programs",
      [["Used here"], ["Does not work in"], ["Works in part in"], ["Tested", "wide"]],
      found.map(([name, , bears, date]) => [
        h("code", {}, name),
        named(bears, "n").map((program) => [tag(program, "bad"), " "]),
        named(bears, "a").map((program) => [tag(program, "warn"), " "]),
        date,
      ]),
    ),
    hint(`By ${source.name}, ${source.date}. A program that leaves a property out shows the rest.`),
  ];
}
