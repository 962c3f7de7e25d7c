// All that is known of one request.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { actions, button, copyButton, facts, h, hint, pretty, say, tag, time } from "../core/ui.js";
import { evaluation, sentence } from "../rules/tree.js";
import { callerOf, curl, isPlain } from "./entry.js";

function readable(value) {
  if (typeof value !== "string") return pretty(value);
  try {
    return pretty(JSON.parse(value));
  } catch {
    return value;
  }
}

/** Where in the rules a refusal was decided, from what the client was told. */
const places = (reason = "") =>
  [...reason.matchAll(/\bL(\d+):(\d+)/g)].map(([, line]) => Number(line));

const ruleLink = (line) => h("a", { href: linkTo("rules", [], { line }) }, `line ${line}`);

function rule({ rule: found, reason }) {
  if (found) {
    return [ruleLink(found.line), " ", h("code", {}, found.source)];
  }
  const lines = [...new Set(places(reason))];
  return lines.length > 0 && lines.map((line) => [ruleLink(line), " "]);
}

const methods = {
  get: "get",
  list: "list",
  runQuery: "list",
  createDocument: "create",
  patch: "update",
  delete: "delete",
};

/** The playground with what the rules refused, where one chooses who asks. */
function asAnother({ rule: found, operation, shortPath, collection, uid }) {
  const method = methods[operation.split(".").at(-1)];
  const path = shortPath ?? collection;
  return found && method && path && [
    " · ",
    h("a", {
      href: linkTo("rules", [], {
        line: found.line,
        method,
        path,
        auth: "user",
        uid: uid ?? "ann",
      }),
    }, "Try as another user"),
  ];
}

async function replay(project, entry, place) {
  const path = own(project, `requests/${encodeURIComponent(entry.id)}:replay`);
  const answer = await call("POST", path, { body: {} });
  place.replaceChildren(
    h("h2", {}, "Answer to the replay ", tag(answer.status, answer.status < 400 ? "good" : "bad")),
    h("pre", {}, readable(answer.response ?? "")),
  );
  say("Replayed.");
}

/** What was sent and answered; an event tells neither. */
const bodiesOf = ({ body, response, responseTooLong }) =>
  [
    body !== undefined && h("div", {}, h("h2", {}, "Request"), h("pre", {}, readable(body))),
    response !== undefined && h(
      "div",
      {},
      h("h2", {}, "Response"),
      h("pre", {}, readable(response)),
      responseTooLong && hint("Cut off: the answer was longer."),
    ),
  ].filter(Boolean);

/** What only the single entry has: the values of the rules, and the headers. */
const more = ({ rule: found, headers }) =>
  [
    ...(found?.allows?.length
      ? [h("h2", {}, "Evaluation of the rules"), ...evaluation(found, { isTold: true })]
      : []),
    headers &&
    h(
      "details",
      {},
      h("summary", {}, "Request headers"),
      h(
        "pre.headers",
        {},
        Object.entries(headers).map(([name, value]) =>
          h("span.line", {}, h("b", {}, `${name}:`), ` ${value}\n`)
        ),
      ),
    ),
  ].filter(Boolean);

/** What the request's row does not say. */
const about = (entry) =>
  facts([
    ["Path", h("code", {}, entry.path)],
    ["Resource", entry.resource && h("code", {}, entry.resource)],
    ["Time", time(entry.time)],
    ["Operation", h("code", {}, entry.operation)],
    ["Took", `${entry.milliseconds} ms`],
    ["Caller", [callerLink(entry), asAnother(entry)]],
    ["Error", entry.error && readable(entry.error)],
    ["Reason", entry.reason],
    ["Rule", rule(entry)],
    ["Index", entry.index && missingIndex(entry.index)],
    ["By fault", entry.fault && [tag("fault", "warn"), " ", h("code", {}, entry.fault)]],
    ["Replay of", entry.replayOf && requestLink(entry.replayOf)],
  ]);

const callerLink = (entry) =>
  entry.uid
    ? h("a", { href: linkTo("users", [entry.uid]) }, entry.uid)
    : h("span", { title: entry.caller }, callerOf(entry));
const requestLink = (id) => h("a", { href: linkTo("requests", [String(id)]) }, `request ${id}`);
const missingIndex = ({ query, reason }) => [
  h("code", {}, query),
  " ",
  reason,
  " ",
  h("a", { href: linkTo("indexes") }, "Indexes"),
];

export function detail(project, entry) {
  const again = h("div");
  const deep = h("div");
  const bodies = h("div.halves", {}, bodiesOf(entry));
  // What the log has forgotten meanwhile is not shown.
  const whole = call("GET", own(project, `requests/${encodeURIComponent(entry.id)}`))
    .catch(() => ({}));
  // Below what comes later is shown with it: nothing moves.
  const below = h("div", { hidden: true });
  whole.then((found) => {
    below.hidden = false;
    deep.replaceChildren(...more(found));
    if (found.id) bodies.replaceChildren(...bodiesOf(found));
  });
  below.append(
    bodies,
    again,
    actions(
      isPlain(entry) && copyButton("Copy as curl", async () => curl({ ...entry, ...await whole })),
      isPlain(entry) && button("Replay", () => replay(project, entry, again)),
      button("Fault this operation", () => {
        location.hash = linkTo("faults", [], { operation: entry.operation });
      }),
    ),
  );
  const { because } = entry.rule ?? {};
  const why = because && h("p.notice.bad.because", {}, sentence(because));
  return h("div", {}, why, about(entry), deep, below);
}
