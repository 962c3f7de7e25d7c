// The frame around the views: which one is shown, for which project, and what happens live.

import { noteClock, readClock } from "../core/api.js";
import { listen } from "../core/events.js";
import { notifies } from "../core/notify.js";
import { linkTo, parse } from "../core/routes.js";
import { clearTrouble, fail, h, heading, icon, problem } from "../core/ui.js";
import { showBanner } from "./banner.js";
import { keepFocus } from "./focus.js";
import { makePicker } from "./picker.js";
import { help, listenToKeys } from "./shortcuts.js";
import { watchState } from "./state.js";
import { drawTools } from "./tools.js";
import { watchUnread } from "./unread.js";
import { views } from "./views.js";

const main = document.getElementById("main");
const hearers = new Set();
let project = "";
/** The view that is shown: its name, what it does when the path changes, and how it ends. */
let shown = null;
/** Ends the project's live events. */
let live = null;
let isLost = false;
/** What is looked at, in front of the page's title. */
let subject = "";
let unread = 0;

const badge = h("span.badge", { hidden: true });
document.querySelector("body > nav ul").append(
  ...Object.entries(views).map(([name, [title, , , isApart]]) =>
    h(
      "li",
      { class: isApart && "apart" },
      h("a", { href: linkTo(name) }, icon(name), h("span", {}, title), name === "mailbox" && badge),
    )
  ),
);

const load = (name) => import(`../${views[name][1]}`);

async function show() {
  const { name, path, params } = parse(location.hash);
  if (!Object.hasOwn(views, name)) return location.replace("#/overview");
  if (shown?.name === name && shown.navigate) return shown.navigate(path, params);
  const isFirst = !shown;
  shown?.end();
  clearTrouble();
  const ending = new AbortController();
  const { signal } = ending;
  const view = shown = { name, navigate: null, failed: false, end: () => ending.abort() };
  for (const link of document.querySelectorAll("body > nav a")) {
    link.ariaCurrent = link.hash === linkTo(name) ? "page" : null;
  }
  reveal();
  const title = heading(views[name][0], 1);
  const root = h("div", { class: `view ${name}` });
  main.replaceChildren(title, root);
  main.scrollTop = 0;
  retitle();
  if (!isFirst) title.focus();
  try {
    const module = await load(name);
    if (signal.aborted) return;
    const navigate = await module.show({
      root,
      project,
      path,
      params,
      signal,
      retitle,
      /** Hears what happens for as long as the view is shown. */
      hear(work) {
        hearers.add(work);
        signal.addEventListener("abort", () => hearers.delete(work));
      },
    });
    view.navigate = navigate ?? (() => {});
    // The page may have got a scroll bar, which takes room.
    reveal();
  } catch (error) {
    view.failed = true;
    if (!signal.aborted) root.replaceChildren(problem(error));
  }
}

/** On a narrow screen the navigation scrolls sideways: to the view that is shown. */
function reveal() {
  const link = document.querySelector("body > nav [aria-current]");
  if (!link) return;
  const nav = link.closest("nav");
  nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}

function retitle(what = "") {
  subject = what;
  const name = [what, views[shown.name][0], project, "Hearth"].filter(Boolean).join(" – ");
  document.title = unread ? `(${unread}) ${name}` : name;
}

function use(name) {
  project = name;
  live?.abort();
  live = new AbortController();
  const { signal } = live;
  const readTime = () => readClock(project, signal).catch(() => {});
  const recount = watchUnread(project, signal, (count) => {
    unread = count;
    badge.hidden = !count;
    badge.textContent = count;
    badge.title = `${count} unread`;
    if (shown) retitle(subject);
  });
  const notice = watchState(project, signal);
  listen(project, signal, (event, data) => {
    if (event === "lost" || event === "sync") showBanner(event === "lost");
    if (event === "sync" && isLost) {
      picker.read();
      if (shown?.failed) {
        shown.navigate = null;
        show();
      }
    }
    if (event === "lost" || event === "sync") isLost = event === "lost";
    if (event === "clock.changed" && data.now) noteClock(data);
    else if (event === "clock.changed" || event === "sync") readTime();
    recount(event);
    notice(event, data);
    if (event === "message.captured") tell(data);
    for (const hear of hearers) hear(event, data);
  });
  readTime();
  picker.draw(project);
  if (shown) shown.navigate = null;
  return show();
}

const picker = makePicker((name) => {
  history.pushState(null, "", `?project=${encodeURIComponent(name)}#/${shown.name}`);
  use(name);
});
const asked = () => new URLSearchParams(location.search).get("project");

addEventListener("hashchange", show);
addEventListener("popstate", () => {
  const name = asked() || picker.first();
  if (name && name !== project) use(name);
});
addEventListener("unhandledrejection", (event) => {
  // A view that one has left gives up what it reads.
  if (event.reason?.name === "AbortError") event.preventDefault();
  fail(event.reason);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
/** The palette and what copies codes come when they are first wanted. */
const find = async () =>
  (await import("./palette.js")).openPalette(project, {
    help,
    pick: picker.open,
    views: Object.entries(views).map(([name, [title, , letter]]) => ({ name, title, letter })),
  });
const codes = () => import("./newest.js");
const copyCode = async () => (await codes()).copyNewest(project);
async function tell({ id }) {
  if (notifies()) (await codes()).tellOf(project, id);
}
listenToKeys({ find, copyCode });
keepFocus();
drawTools({ find, help });

// The view's files come while the projects are read.
const { name: first } = parse(location.hash);
if (Object.hasOwn(views, first)) load(first).catch(() => {});
if (asked()) picker.read();
else await picker.read();
setInterval(() => picker.read(), 5000);
await use(asked() || picker.first() || "demo-hearth");
import("./tour.js").then(({ tour }) => tour(), () => {});
// The other views are read while nothing happens, so that they are there when they are wanted.
const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 1000));
idle(() => {
  for (const name of Object.keys(views)) load(name).catch(() => {});
});
