// The frame around the views: which one is shown, for which project, and what happens live.

import { call, listen, noteClock, readClock } from "./api.js";
import { dialog, fail, field, h, heading, input, problem, select } from "./ui.js";

const titles = {
  mailbox: "Mailbox", users: "Users", firestore: "Firestore", requests: "Requests",
  faults: "Faults", clock: "Clock", keys: "Keys", settings: "Settings",
};
const main = document.getElementById("main");
const hearers = new Set();
let projects = [];
/** The project that the server takes where nothing else is said. */
let defaultProject = "";
let project = "";
/** The view that is shown: its name, what it does when the path changes, and how it ends. */
let shown = null;
/** Ends the project's live events. */
let live = null;

function decoded(segment) {
  try { return decodeURIComponent(segment); } catch { return segment; }
}

async function show() {
  const [name, ...path] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (!Object.hasOwn(titles, name)) return location.replace("#/mailbox");
  if (shown?.name === name && shown.navigate) return shown.navigate(path);
  const isFirst = !shown;
  shown?.end();
  const ending = new AbortController();
  const { signal } = ending;
  const view = shown = { name, navigate: null, end: () => ending.abort() };
  for (const link of document.querySelectorAll("nav a")) {
    link.ariaCurrent = link.hash === `#/${name}` ? "page" : null;
  }
  const title = heading(titles[name], 1);
  const root = h("div", { class: name });
  main.replaceChildren(title, root);
  retitle();
  if (!isFirst) title.focus();
  try {
    const module = await import(`./${name}.js`);
    if (signal.aborted) return;
    view.navigate = await module.show({
      root, project, path, signal, retitle,
      /** Hears what happens for as long as the view is shown. */
      hear(work) {
        hearers.add(work);
        signal.addEventListener("abort", () => hearers.delete(work));
      },
    });
  } catch (error) {
    if (!signal.aborted) root.replaceChildren(problem(error));
  }
}

/** Puts what is looked at in front of the page's title. */
function retitle(what) {
  document.title = [what, titles[shown.name], project, "Hearth"].filter(Boolean).join(" – ");
}

function use(name) {
  project = name;
  live?.abort();
  live = new AbortController();
  const { signal } = live;
  const readTime = () => readClock(project, signal).catch(() => {});
  listen(project, signal, (event, data) => {
    if (event === "clock.changed" && data.now) noteClock(data);
    else if (event === "clock.changed" || event === "sync") readTime();
    for (const hear of hearers) hear(event, data);
  });
  readTime();
  pick();
  if (shown) shown.navigate = null;
  show();
}

function choose(name) {
  history.pushState(null, "", `?project=${encodeURIComponent(name)}#/${shown.name}`);
  use(name);
}

/** The picker: the projects that the server knows, and any other by name. */
function pick() {
  const names = [...new Set([...projects, project])].map((name) => [
    name, name === defaultProject ? `${name} (default)` : name]);
  const control = select([...names, ["", "Another…"]], project, { onchange: () => {
    if (control.value) return choose(control.value);
    control.value = project;
    const name = input({ required: true, maxlength: 100 });
    dialog("Another project", field("Project id", name,
      "A project exists as soon as it is used."), "Show", () => choose(name.value.trim()));
  } });
  control.addEventListener("focus", readProjects);
  document.getElementById("picker").replaceChildren(field("Project", control));
}

/** Asks which projects there are; the picker is made again when that has changed. */
async function readProjects() {
  if (document.hidden) return;
  try {
    const answer = await call("GET", "/emulator/v1/projects");
    const names = answer.projects ?? [];
    const isSame = String(names) === String(projects);
    projects = names;
    defaultProject = answer.defaultProject ?? "";
    const control = document.querySelector("#picker select");
    // Not under the hand of someone who is choosing.
    if (!isSame && control && document.activeElement !== control) pick();
  } catch { /* an older server: projects are named by hand */ }
}

const asked = () => new URLSearchParams(location.search).get("project");

addEventListener("hashchange", show);
addEventListener("popstate", () => {
  const name = asked() || defaultProject || projects[0];
  if (name && name !== project) use(name);
});
addEventListener("unhandledrejection", (event) => fail(event.reason));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

await readProjects();
setInterval(readProjects, 5000);
use(asked() || defaultProject || projects[0] || "demo-hearth");
