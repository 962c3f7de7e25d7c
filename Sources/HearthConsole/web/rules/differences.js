// What differs between two versions of a text, line by line.

import { h, hint } from "../core/ui.js";

/** The lines that are only in `before` and only in `after`, between what both begin and end with. */
export function lineDifferences(before, after) {
  const [old, fresh] = [before, after].map((text) => text.split("\n"));
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start && end < fresh.length - start &&
    old.at(-1 - end) === fresh.at(-1 - end)
  ) end += 1;
  const gone = old.slice(start, old.length - end).map((line) => `- ${line}\n`);
  const added = fresh.slice(start, fresh.length - end).map((line) => `+ ${line}\n`);
  if (!gone.length && !added.length) return hint("Nothing.");
  return h("pre", {}, `from line ${start + 1}\n`, gone, added);
}
