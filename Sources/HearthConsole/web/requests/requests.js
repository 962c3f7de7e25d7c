// What the server was asked lately.

import { call, own, text } from "../core/api.js";
import { live, paced } from "../core/live.js";
import { part, render } from "../core/render.js";
import { note } from "../core/routes.js";
import {
  button,
  checkbox,
  dangerous,
  download,
  field,
  h,
  input,
  plural,
  problem,
  select,
} from "../core/ui.js";
import { emptyLog } from "./empty.js";
import { harOf } from "./entry.js";
import { addressOf, found, merged, wantedFrom } from "./log.js";
import { openReplay } from "./replay.js";
import { requestTable } from "./table.js";
import { mostOfTest, openTest } from "./test.js";

/** So many rows are drawn, and as many more each time that one comes near their end. */
const atOnce = 100;
const methods = [["", "Any"], ["GET"], ["POST"], ["PATCH"], ["PUT"], ["DELETE"]];

/** The filters, and what is done with the log. */
function bar({ wanted, ask, har, test, clear }) {
  const box = (label, name, title) =>
    field(
      label,
      checkbox(wanted[name], {
        title,
        oninput: ({ currentTarget }) => ask({ [name]: currentTarget.checked }),
      }),
    );
  const search = field(
    "Filter",
    input({
      type: "search",
      placeholder: "signUp 400",
      value: wanted.q,
      oninput: ({ currentTarget }) => ask({ q: currentTarget.value }),
    }),
  );
  search.classList.add("grows");
  const method = select(methods, wanted.method, {
    onchange: ({ currentTarget }) => ask({ method: currentTarget.value }),
  });
  return h(
    "search.bar",
    { key: "bar" },
    search,
    field("Method", method),
    box("Only errors", "failed"),
    box("Only faults", "fault"),
    box(
      "Console's calls",
      "all",
      "Those that this console makes, too; read when the box is ticked",
    ),
    button("As a test", test),
    button("Export HAR", har),
    dangerous(
      "Clear",
      "All recorded requests of this project will be deleted. This cannot be undone.",
      clear,
    ),
  );
}

function count({ entries, log, waiting }) {
  if (!log.length) return "No requests yet.";
  const part = entries.length + waiting === log.length
    ? ""
    : `${entries.length + waiting} of the last `;
  return `${part}${plural(log.length, "request")}, newest first`;
}

/** What is done with those that are chosen. */
const bulk = ({ chosen, chooseAll, chooseNone, replay, test }) =>
  chosen.size > 0 && h(
    "div.bulk",
    { key: "bulk", role: "group", "aria-label": "Chosen requests" },
    h("strong", {}, `${chosen.size} chosen`),
    button("Choose all", chooseAll, { class: "slim" }),
    button("As a test", test, { class: "slim" }),
    button("On a snapshot", replay, {
      class: "slim",
      title: "Makes them again on a snapshot, and shows which answers differ",
    }),
    button("Choose none", chooseNone, { class: "slim quiet" }),
  );

/** Everything that is seen. */
const page = (view) => [
  bar(view),
  view.error && problem(view.error),
  h(
    "div.pilled",
    { key: "count" },
    h("p.hint", { role: "status" }, view.log && count(view)),
    view.waiting > 0 && button(`${view.waiting} new`, view.release, { class: "pill slim primary" }),
  ),
  view.log && !view.log.length && part("empty", view.project, () => emptyLog(view.project)),
  view.log?.length > 0 && requestTable(view.entries.slice(0, view.shown), view),
  view.log && view.entries.length > view.shown && button("Show more", view.showMore),
  bulk(view),
];

/** Those of the log that are shown now. New ones wait while something is read, and are counted. */
function split(entries, newest, isHeld) {
  const shown = isHeld ? entries.filter(({ id }) => id <= newest) : entries;
  return { entries: shown, waiting: entries.length - shown.length };
}

async function archive(project, entries, log, signal) {
  const whole = await text("GET", own(project, "requests:har"), { signal }).catch(() => null);
  // The server's archive knows more of each request; the filter is that of this page.
  const isWhole = whole && entries.length === log.length;
  download(`${project}.har`, isWhole ? whole : JSON.stringify(harOf(entries), null, 1));
}

const read = async (project, all, signal) => {
  const { requests = [] } = await call("GET", own(project, `requests?all=${all}`), { signal });
  return merged([], requests);
};

/** The log as it is looked at: what is wanted, what is open, and which entries wait. */
class LogView {
  shown = atOnce;
  /** The newest request that is shown: later ones wait while one is open or the list is scrolled. */
  newest = Infinity;
  /** The numbers of those that are chosen for a test. */
  chosen = new Set();

  constructor({ root, project, params, path: [first], signal }) {
    Object.assign(this, { root, project, signal, opened: first, wanted: wantedFrom(params) });
    this.requests = live((all) => read(project, all, signal), { signal });
    this.main = root.closest("main");
  }

  get isHeld() {
    return Boolean(this.opened) || this.scroller.scrollTop > 0;
  }

  /** What is scrolled: on a phone the whole page. */
  get scroller() {
    const { main } = this;
    return main.scrollHeight > main.clientHeight ? main : document.scrollingElement;
  }

  draw() {
    const { value: log, error } = this.requests.state;
    const all = found(log ?? [], this.wanted, this.opened);
    const view = split(all, this.newest, this.isHeld);
    if (!view.waiting && log?.length) this.newest = log.at(-1).id;
    const { project, wanted, shown, opened, chosen } = this;
    render(
      this.root,
      page({
        ...view,
        ...{ project, log, error, wanted, shown, opened, chosen },
        ask: (changes) => this.ask(changes),
        toggle: (entry) => this.toggle(entry),
        choose: (entry) => this.choose(entry),
        release: () => this.release(),
        showMore: () => this.showMore(),
        clear: () => this.clear(),
        har: () => archive(project, all, log, this.signal),
        test: () => openTest(project, this.taken(all)),
        replay: () => openReplay(project, this.taken(all)),
        chooseAll: () => this.chooseThose(all),
        chooseNone: () => this.chooseThose([]),
      }),
    );
  }

  /** Those that are chosen, or the newest. */
  taken(all) {
    const { chosen } = this;
    return chosen.size ? all.filter(({ id }) => chosen.has(id)) : all.slice(0, mostOfTest);
  }

  release() {
    this.newest = Infinity;
    this.opened = undefined;
    this.scroller.scrollTop = 0;
    this.draw();
  }

  ask(changes) {
    const { all } = this.wanted;
    this.wanted = { ...this.wanted, ...changes };
    this.opened = undefined;
    this.newest = Infinity;
    this.shown = atOnce;
    note("requests", [], addressOf(this.wanted));
    if (all !== this.wanted.all) this.requests.ask(this.wanted.all);
    this.draw();
  }

  toggle({ id }) {
    this.opened = this.opened === String(id) ? undefined : String(id);
    note("requests", this.opened ? [this.opened] : [], addressOf(this.wanted));
    this.draw();
  }

  choose({ id }) {
    if (!this.chosen.delete(id)) this.chosen.add(id);
    this.draw();
  }

  chooseThose(entries) {
    this.chosen = new Set(entries.map(({ id }) => id));
    this.draw();
  }

  showMore() {
    this.shown += atOnce;
    this.draw();
  }

  /** Draws more rows when less than two screens of them are left below, or those that wait. */
  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const isNearEnd = scrollTop + 3 * clientHeight > scrollHeight;
    if (isNearEnd && this.root.querySelectorAll("tbody tr").length >= this.shown) this.showMore();
    else this.draw();
  }

  async clear() {
    await call("DELETE", own(this.project, "requests"));
    this.requests.update(() => []);
  }

  open([id], asked) {
    this.opened = id;
    if (asked) this.wanted = wantedFrom(asked);
    const entries = found(this.requests.state.value ?? [], this.wanted, id);
    const at = entries.findIndex((entry) => String(entry.id) === id);
    this.shown = Math.max(this.shown, at + atOnce);
    this.draw();
    this.root.querySelector("[aria-expanded=true]")?.scrollIntoView({ block: "center" });
  }
}

export async function show(context) {
  const { path: [first], signal, hear } = context;
  const view = new LogView(context);
  const { requests } = view;
  // Those of an app that asks much are taken together: to draw them takes its processor.
  const fresh = [];
  const take = paced(() => {
    const some = fresh.splice(0);
    requests.update((log) => merged(log, some));
  }, 500);
  hear((event, entry) => {
    // An event tells all that a row shows: nothing is asked for then.
    if (event !== "request") return;
    fresh.push(entry);
    take();
  });
  requests.follow(hear, /^$/);
  const asked = requests.ask(view.wanted.all);
  // The filters are there before the answer.
  view.draw();
  await asked;
  const soon = paced(() => view.draw(), 100);
  requests.subscribe(soon);
  view.open([first]);
  const scrolled = paced(() => view.scrolled(), 100);
  document.addEventListener("scroll", scrolled, { capture: true, signal });
  return (path, asked) => view.open(path, asked);
}
