// The requests that had a line of the rules evaluated.

import { linkTo } from "../core/routes.js";
import { button, fill, h, hint, icon, plural, table, tag, time } from "../core/ui.js";
import { shortOperation, shortPath } from "../requests/entry.js";

const row = (entry) => [
  h("a", { href: linkTo("requests", [String(entry.id)]) }, String(entry.id)),
  time(entry.time),
  h("code", {}, shortOperation(entry.operation)),
  h("code", {}, shortPath(entry)),
  tag(String(entry.status), entry.status < 400 ? "good" : "bad"),
];

/** A place for the list; `read(line)` asks the server. */
export function lineRequests(read) {
  const element = h("section", { "aria-label": "Requests of a line", hidden: true });
  const close = button(icon("close"), () => element.hidden = true, {
    class: "icon-button",
    "aria-label": "Close the requests of the line",
  });

  async function list(line) {
    const { requests } = await read(line);
    const head = h(
      "p.bar",
      {},
      h("strong", { tabindex: -1 }, `Line ${line}: ${plural(requests.length, "request")}`),
      close,
    );
    const columns = [["Request"], ["Time", "wide"], ["Operation"], ["Path"], ["Status"]];
    return [
      head,
      requests.length > 0
        ? table(`Requests of line ${line}`, columns, requests.toReversed().map(row))
        : hint("None that the request log still has. It keeps the latest 1000."),
    ];
  }

  async function show(line) {
    element.hidden = false;
    await fill(element, () => list(line));
    element.querySelector("strong")?.focus();
    element.scrollIntoView({ block: "nearest" });
  }
  return { element, show };
}
