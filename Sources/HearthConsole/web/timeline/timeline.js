// What happened in a project, in order, and the points to go back to.

import { call, now, own } from "../core/api.js";
import { emptyState, firstLines } from "../core/empty.js";
import { live, paced } from "../core/live.js";
import { part, render } from "../core/render.js";
import { linkTo, note } from "../core/routes.js";
import {
  button,
  dialog,
  field,
  h,
  hint,
  icon,
  input,
  plural,
  problem,
  say,
  select,
  shortTime,
} from "../core/ui.js";
import { undoable } from "../core/undo.js";
import { merged as joined } from "../requests/log.js";
import { fits, merged, messageLine, requestLine } from "./lines.js";

const usual = 200;
const kinds = {
  "": "Everything",
  users: "Users",
  mails: "Mails",
  documents: "Documents",
  failures: "Failures",
  deliveries: "Functions and webhooks",
  steering: "Clock, faults, rules",
  snapshots: "Snapshots",
};

async function read(project, signal) {
  const get = (rest) => call("GET", own(project, rest), { signal });
  const [{ requests = [] }, { messages = [] }, { snapshots = [] }, past] = await Promise.all([
    get("requests?all=true"),
    get("messages?limit=1000&summary=true"),
    get("snapshots").catch(() => ({})),
    get("rewind").catch(() => ({ requests: [] })),
  ]);
  return {
    requests,
    messages,
    snapshots: snapshots.map(({ name }) => name),
    // What came after this was asked for is not told.
    past: [...past.requests, { first: (requests.at(-1)?.id ?? 0) + 1, last: Infinity }],
  };
}

/** Makes the project what it was when the snapshot was made. */
function goBack(project, name) {
  dialog(
    "Go back to here?",
    hint(
      "All that happened since is taken back. What the project holds now is kept in a snapshot.",
    ),
    "Go back",
    async () => {
      const path = own(project, `snapshots/${encodeURIComponent(name)}:restore`);
      const undo = await undoable(project, "rewind", () => call("POST", path, { body: {} }));
      say("The project is as it was.", undo);
    },
    "danger",
  );
}

/** Makes a project of its own of the snapshot, to look at. */
async function look(project, name) {
  const to = `${project.slice(0, 20)}-rewind-${Date.now().toString(36)}`;
  await call("POST", own(project, `snapshots/${encodeURIComponent(name)}:fork`), { body: { to } });
  location.href = `?project=${encodeURIComponent(to)}#/overview`;
}

/** Makes a project of its own of the moment of a line, to look at. */
async function rewind(project, { request, time }) {
  const moment = request ? { request } : { time };
  const { notRebuilt } = await call("GET", own(project, `rewind?${new URLSearchParams(moment)}`));
  dialog(
    "The project as it was here",
    [
      hint("A project of its own gets the documents, users and mails of this moment."),
      notRebuilt.map(hint),
    ],
    "Open it",
    async () => {
      const { project: to } = await call("POST", own(project, "rewind"), { body: moment });
      location.href = `?project=${encodeURIComponent(to)}#/overview`;
    },
  );
}

const pointOf = (project, line) =>
  h(
    "span.pair",
    {},
    button("Go back to here", () => goBack(project, line.snapshot), {
      class: "slim",
      "aria-label": `Go back to ${line.snapshot}`,
    }),
    button("Look at it", () => look(project, line.snapshot), {
      class: "slim",
      title: "In a project of its own",
      "aria-label": `Look at ${line.snapshot}`,
    }),
  );

const row = (project, line, isThere) =>
  part(line.key, [line, isThere], () =>
    h(
      "li",
      { "data-kind": line.isBad ? "bad" : line.kind },
      icon(line.mark),
      h(
        "div",
        {},
        line.href || line.request
          ? h("a", {
            href: line.href || linkTo("requests", [line.request], { all: 1 }),
            "data-row": "",
          }, line.words)
          : line.words,
        line.who && h("b", {}, " ", line.who),
        line.detail && h("small", {}, line.detail),
      ),
      line.href && line.request &&
        h("a.small-link", { href: linkTo("requests", [line.request], { all: 1 }) }, "Request"),
      line.snapshot && isThere
        ? pointOf(project, line)
        : line.isKnown
        ? button("Rewind", () => rewind(project, line), {
          class: "link small-link",
          title: "Look at the project as it was here",
          "aria-label": `Rewind to ${line.words}`,
        })
        : h(
          "span.small-link",
          { title: "Before a restore, a clear or an import, or too long ago" },
          "cannot be rebuilt",
        ),
      shortTime(line.time, now(), true),
    ));

/** What is above the line. */
const bar = ({ wanted, ask, point }) => {
  const search = field(
    "Filter",
    input({
      type: "search",
      placeholder: "ann@example.com, users/ann, line 5",
      value: wanted.q,
      oninput: ({ currentTarget }) => ask({ q: currentTarget.value }),
    }),
  );
  search.classList.add("grows");
  return h(
    "search.bar",
    { key: "bar" },
    search,
    field(
      "Show",
      select(Object.entries(kinds), wanted.kind, {
        onchange: ({ currentTarget }) => ask({ kind: currentTarget.value }),
      }),
    ),
    button("Keep this moment", point, {
      class: "primary",
      title: "Makes a snapshot, to which you can go back",
    }),
  );
};

const nothing = (project) => {
  const { user, document } = firstLines(project);
  return emptyState({
    mark: "timeline",
    title: "Nothing has happened yet",
    words: "Sign-ups, mails, writes, refusals and moves of the clock are listed here in order.",
    waits: "Waiting for the first event",
    lines: (hosts) => [["Sign up", user(hosts)[1]], ["Write a document", document(hosts)[1]]],
  });
};

/** The lines of all that happened, oldest first, with whether each moment can be rebuilt. */
function linesOf({ requests, messages, past }) {
  const lines = merged(requests.map(requestLine).filter(Boolean), messages.map(messageLine));
  // A mail belongs to the request that has sent it, which is over later.
  let id = Infinity;
  for (const line of lines.toReversed()) {
    id = line.request ?? id;
    line.isKnown = past.some(({ first, last }) => first <= id && id <= last);
  }
  return lines;
}

/** Everything that is seen. */
function page({ project, value, error, wanted, shown, ask, point, showMore }) {
  const lines = value ? linesOf(value) : [];
  const found = lines.filter((line) => fits(line, wanted)).reverse();
  const isThere = (line) => value.snapshots.includes(line.snapshot);
  return [
    bar({ wanted, ask, point }),
    error && problem(error),
    value && h(
      "p.hint",
      { key: "count", role: "status" },
      `${plural(found.length, "event")}, newest first`,
    ),
    value && !lines.length && part("empty", project, () => nothing(project)),
    h(
      "ol.list.timeline",
      { key: "lines" },
      found.slice(0, shown).map((line) => row(project, line, isThere(line))),
    ),
    found.length > shown && button("Show more", showMore),
  ];
}

async function keepMoment(project) {
  const name = `moment-${new Date().toISOString().replace(/[:.]/g, "")}`;
  await call("POST", own(project, "snapshots"), { body: { name } });
}

const wantedFrom = (params) => ({ q: params.get("q") ?? "", kind: params.get("kind") ?? "" });

export async function show({ root, project, params, signal, hear }) {
  const happened = live(() => read(project, signal), { signal });
  let wanted = wantedFrom(params);
  let shown = usual;

  function ask(changes) {
    wanted = { ...wanted, ...changes };
    note("timeline", [], wanted);
    draw();
  }
  async function point() {
    await keepMoment(project);
    await happened.refresh();
    say("This moment is kept: you can go back to it.");
  }
  function showMore() {
    shown += usual;
    draw();
  }
  function draw() {
    const { value, error } = happened.state;
    render(root, page({ project, value, error, wanted, shown, ask, point, showMore }));
  }

  hear((event, entry) => {
    // An event tells all that a line shows but what a commit wrote, which is read later.
    if (event !== "request") return;
    happened.update((value) => ({ ...value, requests: joined(value.requests, [entry]) }));
    if (/commit|batchWrite$|write$/i.test(entry.operation)) happened.soon();
  });
  happened.follow(hear, /^(message|code|clock|faults|rules|switches|snapshots?)\b/);
  const asked = happened.ask();
  // The filters are there before the answer.
  draw();
  await asked;
  happened.subscribe(paced(draw, 100));
  draw();
  return (_, asked) => {
    wanted = wantedFrom(asked);
    draw();
  };
}
