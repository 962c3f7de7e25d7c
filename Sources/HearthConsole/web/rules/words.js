// What is said about rules: where they come from, what is wrong with them, how much was evaluated.

import { button, h } from "../core/ui.js";
import { share } from "./coverage.js";
import { lineDifferences } from "./differences.js";

export const contentOf = ({ rules }) => rules?.files?.[0]?.content ?? "";

/** The errors that a refusal of the rules names. */
export function errorsOf(message) {
  return [...message.matchAll(/^L?(\d+):(\d+) (.*)$/gm)].map(([, line, column, words]) => ({
    line: Number(line),
    column: Number(column),
    message: words,
  }));
}

/** The warnings about rules that hold. */
export const warningsOf = ({ issues = [] }) =>
  issues.map(({ sourcePosition = {}, description }) => ({
    line: sourcePosition.line ?? 1,
    column: sourcePosition.column ?? 1,
    message: description,
    isWarning: true,
  }));

/** Who owns the rules, and how to give them back to the file. */
export function ownerWords({ source, inherited, ...answer }, follow) {
  if (source === "file") {
    const { name = "firestore.rules" } = answer.rules?.files?.[0] ?? {};
    return `These rules come from the file ${name}; its changes are followed.`;
  }
  if (source !== "set") {
    return {
      project: "These rules are those of the project.",
      none: "There are no rules.",
    }[source];
  }
  const words = "These rules were set in the console or over an endpoint. ";
  if (inherited?.source !== "file") {
    return [words, button("Take these rules away", follow, { class: "link" })];
  }
  return [
    words,
    `The file is not followed${
      contentOf(inherited) === contentOf(answer) ? "" : " and has other rules"
    }. `,
    button("Follow the file again", follow, { class: "link" }),
    contentOf(inherited) !== contentOf(answer) && h(
      "details",
      {},
      h("summary", {}, "What differs from the file"),
      lineDifferences(contentOf(inherited), contentOf(answer)),
    ),
  ];
}

export const coverageWords = (counts, project) =>
  counts?.size > 0 && [
    `Coverage: ${share(counts)} % of the lines that decide. `,
    h("a", {
      target: "_blank",
      href: `/emulator/v1/projects/${encodeURIComponent(project)}:ruleCoverage.html`,
    }, "As a page"),
  ];
