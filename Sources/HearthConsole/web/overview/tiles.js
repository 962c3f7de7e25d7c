// The numbers of a project, each of which leads to its page.

import { call, now, own, readClock } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { h, icon, paced, problem, span } from "../core/ui.js";

/** How many requests the server keeps of a project. */
const mostRequests = 1000;

const tile = (view, number, words, params) =>
  h(
    "a.tile",
    { href: linkTo(view, [], params) },
    h("span", {}, icon(view), words),
    // A number that is not known yet takes its place.
    h("strong", {}, String(number ?? "–")),
  );

const several = (view, count, word) => tile(view, count, count === 1 ? word : `${word}s`);

function clockTile(clock) {
  const off = clock ? now() - Date.now() : 0;
  const words = clock?.frozen
    ? "Frozen"
    : clock && clock.offset !== "PT0S"
    ? `${off < 0 ? "−" : "+"}${span(Math.abs(off))}`
    : "Real time";
  return tile("clock", words, "clock");
}

const tilesOf = ({ users, messages, documents, requests, failed, faults, clock }) => [
  several("users", users, "user"),
  several("mailbox", messages, "message"),
  several("firestore", documents, "document"),
  tile("requests", requests ? `${failed} of ${requests}` : 0, "failed requests", {
    failed: failed ? 1 : "",
  }),
  several("faults", faults, "fault"),
  clockTile(clock),
];

/** What an older server lacks counts as nothing; any other refusal is shown. */
const known = (answer, otherwise = {}) =>
  answer.catch((error) => {
    if (!error.unavailable) throw error;
    return otherwise;
  });

/** What reads each of the numbers. */
function readsOf(project, signal) {
  const get = (rest) => known(call("GET", own(project, rest), { signal }));
  return {
    users: async () => ({
      users: Number((await get("accounts?tenantId=*&limit=1")).recordsCount ?? 0),
    }),
    messages: async () => ({
      messages: (await get("messages?limit=1&summary=true")).total ?? 0,
    }),
    // Once: events tell of each request after that.
    requests: async () => {
      const { requests = [] } = await get("requests");
      const failed = requests.filter(({ status, client }) => status >= 400 && !client).length;
      return { requests: requests.length, failed };
    },
    documents: async () => {
      const { databases = [] } = await get("databases");
      const counts = databases.map(({ documents }) => Number(documents ?? 0));
      return { documents: counts.reduce((sum, count) => sum + count, 0) };
    },
    faults: async () => ({ faults: ((await get("faults")).faults ?? []).length }),
    clock: async () => ({ clock: await known(readClock(project, signal), null) }),
  };
}

/** The number that an event is about; the names of faults' events are `fault` and `faults`. */
const subjectOf = (event) => {
  const [, name] = /^(user|message|clock|fault)/.exec(event) ?? [];
  return name === "fault" ? "faults" : name;
};

export async function showTiles(place, { project, signal, hear }) {
  const state = { requests: 0, failed: 0, clock: null };
  const reads = readsOf(project, signal);
  const draw = () => place.replaceChildren(...tilesOf(state));
  const read = async (...names) => {
    await Promise.all(names.map(async (name) => Object.assign(state, await reads[name]())));
    draw();
  };
  const all = Object.keys(reads);
  const quietly = (...names) => paced(() => read(...names).catch(() => {}), 1000);
  const soon = {
    user: quietly("users"),
    message: quietly("messages"),
    faults: quietly("faults"),
    clock: quietly("clock"),
    all: quietly(...all),
    draw: paced(draw, 200),
  };
  hear((event, { status } = {}) => {
    if (event === "request") {
      state.requests = Math.min(state.requests + 1, mostRequests);
      if (status >= 400) state.failed = Math.min(state.failed + 1, mostRequests);
      soon.draw();
    } else if (/^(sync|poll)$/.test(event)) soon.all();
    else soon[subjectOf(event)]?.();
  });
  draw();
  await read(...all).catch((error) => place.replaceChildren(problem(error)));
}
