// Made of web/ by the script `embed`. Do not edit.
// swift-format-ignore-file

extension ConsoleAsset {
  /// The files of the console by name.
  package static let all: [String: ConsoleAsset] = [
    "api.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// Talks to the server this page came from: JSON calls, live events, and the server's clock.

/** A refusal in Google's envelope, or a call that never arrived. */
export class ApiError extends Error {
  constructor(status, { message, status: name } = {}) {
    super(message || `HTTP ${status}`);
    this.status = status;
    this.statusName = name ?? "";
    /** Whether the server lacks this endpoint, and not just the requested resource. */
    this.unavailable = status === 501 || status === 405
      || (status === 404 && /^(not found\.?|http 404)$/i.test(this.message));
  }
}

/** Calls an endpoint and answers its text. */
export async function text(method, path, { body, signal, admin } = {}) {
  // The server keeps the console's own calls apart from those of apps.
  const headers = { "X-Hearth-Client": "console" };
  if (body) headers["Content-Type"] = "application/json";
  if (admin) headers.Authorization = "Bearer owner";
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, signal, cache: "no-store", body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { message: "The server does not answer. Is Hearth running?" });
  }
  if (reply.ok) return reply.text();
  const { error } = await reply.json().catch(() => ({}));
  throw new ApiError(reply.status, typeof error === "string" ? { message: error } : error);
}

/** Calls an endpoint and answers its JSON. */
export const call = async (...request) => JSON.parse(await text(...request) || "{}");

/** The path of one of Hearth's own endpoints. */
export const own = (project, rest) => `/emulator/v1/projects/${encodeURIComponent(project)}/${rest}`;

/** An administrator's call to Identity Toolkit. */
export const accounts = (project, verb, body, signal) => call("POST",
  `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(project)}/accounts${verb}`,
  { body, signal, admin: true });

// How far the server's clock is ahead of this machine's, and where it stands still.
let ahead = 0;
let frozen = null;

/** The server's time in milliseconds. */
export const now = () => frozen ?? Date.now() + ahead;

export function noteClock(state) {
  const time = Date.parse(state.now);
  ahead = time - Date.now();
  frozen = state.frozen ? time : null;
  return state;
}

export const readClock = async (project, signal) =>
  noteClock(await call("GET", own(project, "clock"), { signal }));

const eventNames = [
  "message.captured", "message.deleted", "code.used", "user.created", "user.updated",
  "user.deleted", "user.signedIn", "users.imported", "request", "clock.changed", "faults.changed",
  "switches.changed", "keys.rotated",
];

/**
 * Calls `hear(name, data)` for what happens in the project, until the signal aborts.
 *
 * `hear("sync")` says that events begin, and that something may have been missed before. Where there
 * are none, `hear("poll")` comes every two seconds instead. A hidden page lets go of its connection:
 * browsers allow only six to a host.
 */
export function listen(project, signal, hear) {
  let source = null;
  let timer = 0;
  let polls = false;
  function stop() {
    source?.close();
    clearInterval(timer);
  }
  function poll() {
    polls = true;
    timer = setInterval(() => hear("poll"), 2000);
  }
  function start() {
    stop();
    if (document.hidden) return;
    if (polls) return poll();
    source = new EventSource(own(project, "events"));
    source.onopen = () => hear("sync");
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) poll(); };
    for (const name of eventNames) {
      source.addEventListener(name, (event) => hear(name, JSON.parse(event.data || "{}")));
    }
  }
  document.addEventListener("visibilitychange", () => {
    start();
    if (polls && !document.hidden) hear("poll");
  }, { signal });
  signal.addEventListener("abort", stop);
  start();
}

"""##),
    "app.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
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

"""##),
    "clock.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// The server's movable clock.

import { call, noteClock, now, own, readClock } from "./api.js";
import { actions, announce, button, facts, field, form, h, hint, input } from "./ui.js";

/** How far the clock is off, as "2 hours 30 minutes ahead". */
function inWords(milliseconds) {
  let left = Math.round(Math.abs(milliseconds) / 1000);
  const parts = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]].map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count && `${count} ${unit}${count === 1 ? "" : "s"}`;
  }).filter(Boolean);
  return parts.length ? `${parts.join(" ")} ${milliseconds < 0 ? "behind" : "ahead"}`
    : "none: this is the real time";
}

const written = "-?(\\d+(ms|[smhdw]))+|-?P[0-9DTHMS.W]+";

const pattern = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

function milliseconds(duration) {
  const match = pattern.exec(duration ?? "PT0S");
  if (!match) return null;
  const [days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0));
  return (match[1] ? -1000 : 1000) * (((days * 24 + hours) * 60 + minutes) * 60 + seconds);
}

export async function show({ root, project, signal, hear }) {
  const face = h("p.face");
  const about = h("div");
  const step = input({ required: true, placeholder: "2h30m", pattern: written });
  const moment = input({ type: "datetime-local", step: 1, required: true });
  let isFrozen = false;
  const freeze = button("Freeze", () => move("PATCH", { frozen: !isFrozen }));
  const move = async (method, body) => {
    const answer = await call(method, own(project, "clock"), { body });
    take(answer.now ? answer : await readClock(project));
    announce(`The server's clock says ${face.textContent}`);
  };
  const advance = (duration) => move("PATCH", { advance: duration });

  function take(state) {
    noteClock(state);
    const offset = milliseconds(state.offset);
    about.replaceChildren(facts([["Offset", offset === null ? state.offset : inWords(offset)],
      ["Frozen", state.frozen ? "yes, it stands still" : "no"]]));
    freeze.textContent = state.frozen ? "Unfreeze" : "Freeze";
    isFrozen = state.frozen;
    const zone = new Date(now()).getTimezoneOffset() * 60000;
    moment.value = new Date(now() - zone).toISOString().slice(0, 19);
    tick();
  }

  function tick() {
    const date = new Date(now());
    face.replaceChildren(h("time", { datetime: date.toISOString() }, date.toLocaleString(undefined,
      { dateStyle: "full", timeStyle: "medium" })), " ",
    h("small", {}, `${date.toISOString().slice(0, 19)}Z`));
  }

  take(await readClock(project, signal));
  root.append(face, about,
    actions(button("+1 minute", () => advance("PT1M")), button("+1 hour", () => advance("PT1H")),
      button("+1 day", () => advance("PT24H")), freeze,
      button("Back to real time", () => move("DELETE"))),
    h("div.grid", {},
      form(field("Move by", step, "2h30m or PT2H30M; -1h goes back"), "Move",
        () => advance(step.value), ""),
      form(field("Set to", moment, "In your own time zone"), "Set",
        () => move("PATCH", { now: new Date(moment.value).toISOString() }), "")),
    hint("Tokens, codes and sessions expire by this clock."));
  hear(async (event, data) => {
    if (!/^(clock|sync|poll)/.test(event)) return;
    const state = data?.now ? data : await readClock(project, signal).catch(() => null);
    if (state) take(state);
  });
  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
}

"""##),
    "faults.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// Faults that the server makes on purpose.

import { call, own } from "./api.js";
import {
  actions, button, dangerous, field, fill, form, h, hint, input, say, select, table,
} from "./ui.js";

const operations = [
  "*", "identitytoolkit.*", "identitytoolkit.accounts.signUp",
  "identitytoolkit.accounts.signInWithPassword", "identitytoolkit.accounts.signInWithIdp",
  "identitytoolkit.accounts.sendOobCode", "identitytoolkit.accounts.resetPassword",
  "identitytoolkit.accounts.lookup", "identitytoolkit.accounts.update", "securetoken.token",
  "firestore.*",
];

const wait = { required: true, pattern: "\\d+(ms|s|m)" };

/** What can happen: its name, its fields, and the effect on the wire. */
const kinds = {
  latency: ["A fixed delay", [["Delay", { ...wait, value: "200ms" }]], ([latency]) => ({ latency })],
  range: ["A random delay", [["From", { ...wait, value: "100ms" }], ["To", { ...wait, value: "2s" }]],
    ([min, max]) => ({ latency: { min, max } })],
  error: ["An error", [["Error", { required: true, value: "TOO_MANY_ATTEMPTS_TRY_LATER" }]],
    ([error]) => ({ error })],
  status: ["An HTTP status", [["Status", { type: "number", min: 400, max: 599, value: 503,
    required: true }]], ([status]) => ({ status: Number(status) })],
  before: ["The connection drops before the operation", [], () => ({ drop: "before" })],
  after: ["The connection drops after the operation", [], () => ({ drop: "after" })],
  slowBody: ["A slow answer", [["Speed", { required: true, value: "1KB/s" }]],
    ([slowBody]) => ({ slowBody })],
};

function describe({ latency, error, status, drop, slowBody, ...other }) {
  if (latency) return latency.min ? `${latency.min} to ${latency.max} late` : `${latency} late`;
  return error ?? (status ? `HTTP ${status}`
    : drop ? `the ${drop === "before" ? "call" : "answer"} is lost`
      : slowBody ? `an answer at ${slowBody}` : JSON.stringify(other));
}

export async function show({ root, project, signal, hear }) {
  const path = own(project, "faults");
  let faults = [];
  const place = h("div");
  const known = h("datalist", { id: "operations" }, operations.map((value) => h("option", { value })));
  const operation = input({ list: known.id, required: true, value: "identitytoolkit.*" });
  const kind = select(Object.entries(kinds).map(([key, [label]]) => [key, label]));
  const values = h("div.grid");
  const share = input({ type: "number", min: 0, max: 100, step: "any", value: 100, required: true });
  const times = input({ type: "number", min: 1 });
  const seed = input({ type: "number" });
  const email = input({ type: "email" });
  const choose = () => values.replaceChildren(...kinds[kind.value][1].map(
    ([label, attributes]) => field(label, input(attributes))));
  kind.addEventListener("change", choose);
  choose();

  async function load() {
    const answer = await call("GET", path, { signal });
    faults = answer.faults ?? [];
    fill(place, () => (faults.length ? table("Faults", [["Operation"], ["Effect"], ["Share", "wide"],
      ["Times", "wide"], ["Hits", "wide"], ["Only for", "wide"], [h("span.unseen", {}, "Remove")]], faults.map(
      (fault, index) => [h("code", {}, fault.operation), describe(fault.effect ?? {}),
        `${(fault.share ?? 1) * 100} %`, fault.times ?? "no end",
        fault.hits ?? 0, fault.email ?? "everybody",
        button("Remove", () => put(faults.toSpliced(index, 1), "Fault removed."), {
          "aria-label": `Remove the fault of ${fault.operation}` })])) : hint("No faults.")));
  }

  async function put(wanted, words) {
    await call("PUT", path, { body: { faults: wanted } });
    await load();
    say(words);
  }

  async function add(fault, words) {
    await call("POST", path, { body: fault });
    await load();
    say(words);
  }

  await load();
  root.append(place, actions(dangerous("Remove all", "All requests are answered normally again.",
    async () => {
      await call("DELETE", path);
      await load();
    })), h("h2", {}, "Add a fault"), form([
    field("Operation", operation, "A name, or a pattern such as identitytoolkit.accounts.*"),
    known, field("What happens", kind), values,
    h("div.grid", {}, field("Share of calls, in percent", share),
      field("How many times", times, "Empty: each time"),
      field("Seed", seed, "The same seed hits the same calls"),
      field("Only for e-mail", email)),
  ], "Add", async () => {
    const entered = [...values.querySelectorAll("input")].map((control) => control.value.trim());
    const fault = { operation: operation.value.trim(), effect: kinds[kind.value][2](entered) };
    if (share.value !== "100") fault.share = share.value / 100;
    for (const [name, control] of Object.entries({ times, seed })) {
      if (control.value) fault[name] = Number(control.value);
    }
    if (email.value) fault.email = email.value.trim();
    await add(fault, "Fault added.");
  }));
  hear((event) => { if (/^(faults|sync)/.test(event)) load().catch(() => {}); });
}

"""##),
    "firestore.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// Collections and documents, side by side, and an editor of a document's fields.

import { call } from "./api.js";
import {
  actions, area, button, dangerous, dialog, facts, field, fill, form, h, heading, hint, input,
  parseObject, pretty, say, select, tabs, time,
} from "./ui.js";

function checked(text, pattern, wanted) {
  if (!pattern.test(text.trim())) throw new Error(`“${text}” is not ${wanted}.`);
  return text.trim();
}

/** The types of values: their name, the text for a value, the value for a text. */
const types = {
  stringValue: ["string", String, String],
  integerValue: ["integer", String, (text) => checked(text, /^-?\d+$/, "an integer")],
  doubleValue: ["double", String, (text) => (/^(NaN|-?Infinity)$/.test(text) ? text
    : Number(checked(text, /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, "a number")))],
  booleanValue: ["boolean", String,
    (text) => checked(text, /^(true|false)$/, "true or false") === "true"],
  timestampValue: ["timestamp", String, (text) => checked(text,
    /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/, "a time such as 2026-01-31T12:00:00Z")],
  nullValue: ["null", () => "", () => null],
  referenceValue: ["reference", String,
    (text) => checked(text, /^projects\//, "projects/…/documents/…")],
  geoPointValue: ["geo point", ({ latitude = 0, longitude = 0 }) => `${latitude}, ${longitude}`,
    (text) => {
      const [latitude, longitude] = checked(
        text, /^-?[\d.]+\s*,\s*-?[\d.]+$/, "a latitude, a comma and a longitude").split(",").map(Number);
      return { latitude, longitude };
    }],
  bytesValue: ["bytes", String, (text) => checked(text, /^[\w+/=-]*$/, "Base64")],
  arrayValue: ["array", ({ values = [] }) => pretty(values),
    (text) => ({ values: JSON.parse(text || "[]") })],
  mapValue: ["map", ({ fields = {} }) => pretty(fields),
    (text) => ({ fields: parseObject(text || "{}", "A map") })],
};

const hashOf = (path) => ["#/firestore", ...path.map(encodeURIComponent)].join("/");

export async function show({ root, project, path: first, signal, retitle }) {
  const base = `/v1/projects/${encodeURIComponent(project)}/databases/(default)/documents`;
  const urlOf = (path) => [base, ...path.map(encodeURIComponent)].join("/");
  const api = (method, url, body) => call(method, url,
    { body, admin: true, signal: method === "GET" ? signal : undefined });
  const crumbs = h("nav.actions", { "aria-label": "Path" });
  const columns = h("div.columns");
  root.append(crumbs, columns);
  /** The columns that are shown, by the path that they list. */
  let known = new Map();

  /** A column that reads page after page of ids: each is [id, note]. */
  function listing(title, path, read, ...more) {
    const list = h("ul.list");
    const trouble = h("div");
    let token = "";
    const next = button("More", () => load());
    const load = () => fill(trouble, async () => {
      const answer = await read(token);
      token = answer.token;
      next.hidden = !token;
      list.append(...answer.ids.map(([id, note]) => h("li", { "data-id": id },
        h("a", { href: hashOf([...path, id]) }, id, note && h("small", {}, note)))));
      return list.children.length ? [] : hint("Empty");
    });
    next.hidden = true;
    return { ready: load(), element: h("section.column.card", { "aria-label": title },
      heading(title), list, trouble, actions(next, more)) };
  }

  const collections = (path) => listing(
    path.length ? `Collections of ${path.at(-1)}` : "Collections", path, async (pageToken) => {
      const { collectionIds = [], nextPageToken } = await api("POST",
        `${urlOf(path)}:listCollectionIds`, { pageSize: 100, ...(pageToken && { pageToken }) });
      return { ids: collectionIds.map((id) => [id]), token: nextPageToken };
    }, button("New collection", () => create(path, true)),
    !path.length && dangerous("Delete all", `All documents of ${project} will be deleted.`, async () => {
      await call("DELETE", `/emulator${base}`, { admin: true });
      reload([]);
    }));

  const documents = (path) => listing(path.at(-1), path, async (pageToken) => {
    const query = new URLSearchParams(
      { pageSize: 50, showMissing: true, ...(pageToken && { pageToken }) });
    const { documents: found = [], nextPageToken } = await api("GET", `${urlOf(path)}?${query}`);
    return { token: nextPageToken, ids: found.map(({ name, createTime }) => [
      name.split("/").at(-1), !createTime && "only collections"]) };
  }, button("New document", () => create(path, false)));

  function create(path, isCollection) {
    const name = { required: true, pattern: "[^\\/]+" };
    const collection = input(name);
    const id = input({ ...name, required: false });
    dialog(isCollection ? "New collection" : "New document", [
      isCollection && field("Collection id", collection),
      field("Document id", id, "Generated if left empty")], "Create", async () => {
      const parent = isCollection ? [...path, collection.value] : path;
      const query = id.value ? `?documentId=${encodeURIComponent(id.value)}` : "";
      const made = await api("POST", urlOf(parent) + query, { fields: {} });
      reload([...parent, made.name.split("/").at(-1)]);
    });
  }

  /** Reads everything again, and shows a path. */
  function reload(path) {
    known = new Map();
    if (location.hash === hashOf(path)) return go(path);
    location.hash = hashOf(path);
  }

  async function go(path, moves = true) {
    retitle(path.join("/"));
    crumbs.replaceChildren(h("a", { href: hashOf([]) }, "root"), ...path.flatMap((id, index) => [
      "/", h("a", { href: hashOf(path.slice(0, index + 1)) }, id)]),
    button("Reload", () => reload(path)));
    const wanted = new Map();
    for (let length = 0; length <= path.length; length += 1) {
      const part = path.slice(0, length);
      const key = part.join("/");
      wanted.set(key, known.get(key) ?? (length % 2 ? documents(part) : collections(part)));
    }
    known = wanted;
    const shown = [...known.values()];
    const elements = shown.map(({ element }) => element);
    if (path.length && path.length % 2 === 0) elements.push(editor(path));
    columns.replaceChildren(...elements);
    await Promise.all(shown.map(({ ready }) => ready));
    shown.forEach(({ element }, index) => element.querySelectorAll("li").forEach((item) => {
      item.firstChild.ariaCurrent = item.dataset.id === path[index] ? "true" : null;
    }));
    if (moves) elements.at(-1).querySelector("h2").focus({ preventScroll: true });
    columns.scrollLeft = columns.scrollWidth;
  }

  function editor(path) {
    const place = h("div");
    const save = async (fields) => {
      draw(await api("PATCH", urlOf(path), { fields }));
      place.previousSibling.focus();
      say("Document saved.");
    };

    const draw = ({ fields = {}, createTime, updateTime }) => place.replaceChildren(
      createTime ? facts([["Created", time(createTime)], ["Updated", time(updateTime)]])
        : h("p.notice", {}, "This document does not exist yet. Saving will create it."),
      tabs("Editor", [["Fields", () => fieldForm(fields, save)], ["JSON", () => {
        const source = area(14, pretty(fields));
        return form(field("Fields", source, 'Such as {"name": {"stringValue": "Ann"}}'), "Save",
          () => save(parseObject(source.value, "Fields")));
      }]]),
      dangerous("Delete document", "The collections below it stay.", async () => {
        await api("DELETE", urlOf(path));
        reload(path.slice(0, -1));
      }));

    fill(place, async () => draw(await api("GET", urlOf(path)).catch((error) => {
      if (error.status !== 404 || error.unavailable) throw error;
      return {};
    })));
    return h("section.column.editor.card", { "aria-label": "Document" }, heading(path.at(-1)), place);
  }

  await go(first, false);
  return go;
}

/** A row for each field: its name, its type, its value. */
function fieldForm(fields, save) {
  const rows = h("div");
  const entries = new Map();
  const options = Object.entries(types).map(([key, [label]]) => [key, label]);

  function control(type, text) {
    const attributes = { "aria-label": "Value", hidden: type === "nullValue" };
    if (type === "booleanValue") return select([["true"], ["false"]], text, attributes);
    const isLong = /^(array|map)Value$/.test(type) || text.includes("\n");
    return h(isLong ? "textarea" : "input",
      { ...attributes, rows: isLong && 5, spellcheck: "false", value: text });
  }

  function add(name, [[type, value]]) {
    const label = input({ value: name, required: true, "aria-label": "Name" });
    // A type that this console does not know stays as it is.
    const kind = select(type in types ? options : [[type]], type, { "aria-label": "Type" });
    let content = control(type, type in types ? types[type][1](value) : pretty(value));
    const row = h("fieldset.row", {}, h("legend.unseen", {}, "Field"), label, kind, content,
      h("button", { type: "button", "aria-label": `Remove the field ${name}`, onclick: () => {
        row.remove();
        entries.delete(row);
      } }, "×"));
    kind.addEventListener("change", () => {
      const next = control(kind.value, content.value);
      content.replaceWith(next);
      content = next;
    });
    entries.set(row, () => {
      try {
        const read = types[kind.value]?.[2] ?? JSON.parse;
        return [label.value, { [kind.value]: read(content.value) }];
      } catch (error) {
        throw new Error(`${label.value}: ${error.message}`);
      }
    });
    rows.append(row);
    return label;
  }

  for (const [name, value] of Object.entries(fields)) add(name, Object.entries(value));
  return form(rows, "Save", () => {
    const made = [...entries.values()].map((entry) => entry());
    const names = made.map(([name]) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`There are two fields named ${twice}.`);
    return save(Object.fromEntries(made));
  }, "primary", button("Add field", () => add("", [["stringValue", ""]]).focus()));
}

"""##),
    "index.html": ConsoleAsset(contentType: "text/html; charset=utf-8", text: ##"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hearth</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%23c2410c' d='M8 0c1 3 5 5 5 9.5a5 5.5 0 0 1-10 0C3 7 5 6 5.5 3.5 7 5 8 3 8 0z'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/console/assets/style.css">
<script type="module" src="/console/assets/app.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand"><a href="#/mailbox">Hearth</a></p>
<div id="picker"></div>
</header>
<nav aria-label="Views">
<ul>
<li><a href="#/mailbox">Mailbox</a></li>
<li><a href="#/users">Users</a></li>
<li><a href="#/firestore">Firestore</a></li>
<li><a href="#/requests">Requests</a></li>
<li><a href="#/faults">Faults</a></li>
<li><a href="#/clock">Clock</a></li>
<li><a href="#/keys">Keys</a></li>
<li><a href="#/settings">Settings</a></li>
</ul>
</nav>
<main id="main" tabindex="-1">
<noscript>The console needs JavaScript. The captured mail is also at <a href="/mailbox">/mailbox</a>.</noscript>
</main>
<div id="toasts"></div>
<div id="announcer" class="unseen" role="status"></div>
</body>
</html>

"""##),
    "keys.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// Signing keys, and a tool that decodes a token and checks its signature in the browser.

import { call, now } from "./api.js";
import {
  actions, area, copyButton, dangerous, facts, field, fill, h, pretty, say, settled, table, tag,
  time,
} from "./ui.js";

const jwks = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";

const bytes = (base64url) => Uint8Array.from(
  atob(base64url.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));

function decode(token) {
  const parts = token.split(".");
  if (parts.length !== 3) throw new Error("A token has three parts with dots between them.");
  const [header, payload] = ["header", "payload"].map((name, index) => {
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes(parts[index])));
    } catch {
      throw new Error(`The token's ${name} is not JSON in Base64URL.`);
    }
  });
  return { header, payload, parts };
}

/** What is to be said of the signature, and whether it is good or bad. */
async function verify({ header, parts }) {
  if (header.alg === "none") return ["not signed"];
  if (header.alg !== "RS256") return [`Signed with ${header.alg}; Hearth signs with RS256`, "bad"];
  if (!crypto.subtle) return ["not checked: this page came neither from localhost nor over TLS"];
  const { keys } = await call("GET", jwks);
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) return [`this server has no key ${header.kid}`, "bad"];
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const isRight = await crypto.subtle.verify(algorithm,
    await crypto.subtle.importKey("jwk", key, algorithm, false, ["verify"]), bytes(parts[2]),
    new TextEncoder().encode(`${parts[0]}.${parts[1]}`));
  return isRight ? ["valid", "good"]
    : ["wrong: the token was changed, or another key signed it", "bad"];
}

/** A box to paste a token into. */
export function tokenTool(project) {
  const source = area(5);
  const result = h("div", { role: "status" });
  source.addEventListener("input", settled(() => fill(result, async () => {
    const token = source.value.replace(/^\s*bearer |\s/gi, "");
    if (!token) return [];
    const decoded = decode(token);
    const verdict = await verify(decoded);
    const { header, payload } = decoded;
    const { aud, exp, iat, auth_time: signedIn, user_id: user = payload.sub } = payload;
    const moment = (seconds) => seconds && time(seconds * 1000);
    return [
      facts([
        ["Signature", tag(...verdict)],
        ["Audience", aud && [aud, aud === project ? "" : ", which is not this project"]],
        ["User", user && h("a", { href: `#/users/${encodeURIComponent(user)}` }, user)],
        ["Signed in", moment(signedIn)], ["Issued", moment(iat)],
        ["Expires", exp && [moment(exp), exp * 1000 > now() ? "" : [" ", tag("expired", "bad")]]],
      ]),
      h("h3", {}, "Header"), h("pre", {}, pretty(header)),
      h("h3", {}, "Payload"), h("pre", {}, pretty(payload)),
    ];
  })));
  return h("div.card.token", {}, field("Token", source,
    "An ID token, a custom token or a session cookie. It does not leave this browser."), result);
}

export async function show({ root, project, signal, hear }) {
  const place = h("div");
  const load = () => fill(place, async () => {
    const { keys } = await call("GET", jwks, { signal });
    return table("Keys", [["Key id"], ["Algorithm"], ["Size"]], keys.map((key) => [
      h("code", {}, key.kid), key.alg, `${bytes(key.n).length * 8} bits`]));
  });
  root.append(
    h("h2", {}, "Signing keys"), place,
    actions(copyButton("Copy JWKS address", location.origin + jwks), dangerous("Rotate",
      "A new key signs from now on. The others stay valid for the tokens that they signed.",
      async () => {
        const { kid } = await call("POST", "/emulator/v1/keys:rotate", { body: {} });
        await load();
        say(`Key ${kid} signs now.`);
      })),
    h("h2", {}, "Decode a token"), tokenTool(project));
  hear((event) => { if (event === "keys.rotated") load(); });
  await load();
}

"""##),
    "mailbox.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// Captured mails and text messages.

import { call, now, own, text } from "./api.js";
import {
  actions, announce, button, copyButton, dangerous, facts, field, h, heading, hint, input, say,
  settled, tabs, tag, time,
} from "./ui.js";

const usual = 100;
const most = 1000;

function span(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

/** Where the message's code stands: in words, and whether that is good or bad. */
function state(message) {
  if (message.usedAt) return ["used", "used"];
  if (!message.expiresAt) return ["pending", "good"];
  const left = Date.parse(message.expiresAt) - now();
  return left > 0 ? [`pending, expires in ${span(left)}`, "good"] : ["expired", "bad"];
}

/** Reads `to:ann type:PASSWORD_RESET state:used "some words"` into a test of messages. */
function matcher(search) {
  const tests = [...search.matchAll(/(?:(to|from|type|state):)?(?:"([^"]*)"?|(\S*))/gi)].map(
    ([, key = "", phrase, word]) => {
      const value = (phrase ?? word).toLowerCase();
      return (message) => ({
        to: [message.to], from: [message.from], state: [state(message)[0].split(",")[0]],
        type: [message.type, message.type.replaceAll("_", "-")],
      }[key.toLowerCase()] ?? [message.subject, message.to, message.text, message.oobCode])
        .some((content) => content?.toLowerCase().includes(value));
    });
  return (message) => tests.every((test) => test(message));
}

const harmful = /^(about|blob|data|file|filesystem|javascript|vbscript|view-source):/i;
const isSafe = (link) => /^[a-z][a-z0-9+.-]*:/i.test(link) && !harmful.test(link);

/**
 * The mail as its reader sees it. Nothing in the frame can run, and it inherits this page's policy,
 * which drops inline styles; so those are put back from here, where they can do nothing but style.
 */
function frame(message) {
  const sheets = [];
  const html = message.html
    .replace(/<style\b[^>]*>([^]*?)<\/style>/gi, (_, source) => { sheets.push(source); return ""; })
    .replace(/(<[^>]*\s)style(\s*=)/gi, "$1data-style$2");
  const element = h("iframe", {
    title: `The message “${message.subject}”`, srcdoc: html,
    sandbox: "allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    onload: () => {
      const { contentDocument: inside, contentWindow: { CSSStyleSheet } } = element;
      for (const link of inside.links) link.target = "_blank";
      for (const styled of inside.querySelectorAll("[data-style]")) {
        styled.style.cssText = styled.dataset.style;
      }
      inside.adoptedStyleSheets = sheets.map((source) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(source);
        return sheet;
      });
    },
  });
  return element;
}

export async function show({ root, project, path: [first], signal, hear, retitle }) {
  const messages = new Map();
  let limit = usual;
  let known = "";
  let opened = first;

  const search = input({ type: "search", placeholder: "to:ann type:PASSWORD_RESET words",
    value: sessionStorage.getItem("search") ?? "" });
  const list = h("ul.list");
  const count = h("p.hint", { role: "status" });
  const more = button(`Show up to ${most}`, () => { limit = most; return load(); });
  const detail = h("section.detail", { "aria-label": "Message" });
  root.append(
    h("search.bar", {}, field("Search", search, "Text, to:, from:, type:, state:"),
      dangerous("Delete all", `All messages of ${project} will be deleted.`, async () => {
        await call("DELETE", own(project, "messages"));
        await load();
        location.hash = "#/mailbox";
      })),
    h("div.split", {}, h("section", { "aria-label": "Messages" }, count, list, more), detail));
  search.addEventListener("input", settled(() => {
    sessionStorage.setItem("search", search.value);
    draw();
    // What is looked for may be further back than what is shown.
    if (limit < most && messages.size === limit) more.click();
  }));

  /** Reads the list, and answers what is new in it. */
  async function load() {
    const answer = await text("GET", own(project, `messages?limit=${limit}`), { signal });
    if (answer === known) return [];
    known = answer;
    const before = new Set(messages.keys());
    messages.clear();
    for (const message of JSON.parse(answer).messages) messages.set(message.id, message);
    draw();
    return [...messages.values()].filter((message) => !before.has(message.id));
  }

  function draw() {
    const visible = [...messages.values()].reverse().filter(matcher(search.value));
    const focused = list.contains(document.activeElement) && document.activeElement.hash;
    list.replaceChildren(...visible.map((message) => h("li", { "data-id": message.id },
      h("a", { href: `#/mailbox/${message.id}` }, h("strong", {}, message.subject),
        h("span", {}, message.to), h("small", {}, tag(message.type), " ",
          tag(...state(message)), " ", time(message.createdAt))))));
    mark();
    if (focused) [...list.querySelectorAll("a")].find(({ hash }) => hash === focused)?.focus();
    more.hidden = messages.size < limit || limit === most;
    count.textContent = !messages.size
      ? "No mail yet. Request a password reset, and its mail appears here."
      : visible.length < messages.size ? `${visible.length} of the newest ${messages.size} messages`
        : `${visible.length} message${visible.length === 1 ? "" : "s"}, newest first`;
  }

  const mark = () => list.querySelectorAll("a").forEach((link) => {
    link.ariaCurrent = link.hash === `#/mailbox/${opened}` ? "true" : null;
  });

  /** States change as time goes by. */
  function age() {
    for (const place of [...list.children, detail]) {
      const element = place.querySelector("[data-kind]");
      const message = messages.get(place.dataset.id);
      if (!element || !message) continue;
      const [words, kind] = state(message);
      if (element.textContent !== words) element.textContent = words;
      element.dataset.kind = kind;
    }
  }

  function read(message) {
    const { oobCode: code, oobLink: link, subject } = message;
    const address = own(project, `messages/${message.id}`);
    const source = () => text("GET", `${address}.eml`, { signal });
    detail.dataset.id = message.id;
    detail.replaceChildren(
      h("p.small", {}, h("a", { href: "#/mailbox" }, "Back to the list")),
      heading(subject),
      facts([
        ["To", message.to], ["From", message.from], ["Type", message.type],
        ["State", tag(...state(message))], ["Tenant", message.tenantId],
        ["Language", message.locale], ["Sent", time(message.createdAt)],
        ["Expires", time(message.expiresAt)], ["Used", time(message.usedAt)],
        ["Code", code && [h("code", {}, code), actions(copyButton("Copy code", code))]],
        ["Link", link && [h("code", {}, link), actions(copyButton("Copy link", link),
          isSafe(link) && h("a.button", { href: link, target: "_blank", rel: "noreferrer" },
            "Open link"))]],
      ]),
      tabs("Message format", [
        ["HTML", () => frame(message)],
        ["Text", () => h("pre", {}, message.text)],
        ["Headers", async () => h("pre", {}, (await source()).split(/\r?\n\r?\n/)[0])],
        ["Source", async () => h("pre", {}, await source())],
      ]),
      actions(button("Delete message", async () => {
        await call("DELETE", address);
        await load();
        say("Message deleted.");
        location.hash = "#/mailbox";
      }, { class: "danger" })));
    retitle(subject);
  }

  async function open([id], moves = true) {
    opened = id;
    root.classList.toggle("opened", Boolean(id));
    mark();
    if (!id) {
      detail.replaceChildren(hint("Choose a message to read it."));
      retitle();
      if (moves) (list.querySelector("a") ?? search).focus();
      return;
    }
    try {
      const message = messages.get(id)
        ?? await call("GET", own(project, `messages/${encodeURIComponent(id)}`), { signal });
      if (opened === id) read(message);
    } catch (error) {
      if (signal.aborted) return;
      detail.replaceChildren(heading("No such message"), hint(error.message));
    }
    if (moves) detail.querySelector("h2").focus();
  }

  const refresh = settled(async () => {
    const before = messages.get(opened)?.usedAt;
    const fresh = await load().catch(() => []);
    if (fresh.length) {
      const { subject, to } = fresh.at(-1);
      announce(fresh.length === 1 ? `New message: ${subject}, to ${to}`
        : `${fresh.length} new messages`);
    }
    const message = messages.get(opened);
    if (message && message.usedAt !== before) read(message);
  }, 50);
  hear((event) => {
    if (/^(message|code|poll|sync)/.test(event)) refresh();
    age();
  });
  const timer = setInterval(age, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  await load();
  await open([first], false);
  return open;
}

"""##),
    "requests.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// What the server was asked lately.

import { call, own } from "./api.js";
import {
  actions, checkbox, copyButton, facts, field, h, input, pretty, settled, table, tag, time, tr,
} from "./ui.js";

const most = 1000;
const columns = [["Path"], ["Method"], ["Status"], ["Error", "wide"], ["Operation", "wide"], ["Caller", "wide"], ["ms", "wide"],
  ["Time", "wide"]];

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const short = (operation) => operation.replace("firestore.projects.databases.", "firestore.");

function readable(value) {
  if (typeof value !== "string") return pretty(value);
  try { return pretty(JSON.parse(value)); } catch { return value; }
}

function curl({ method, path, body }) {
  const words = [`curl -X ${method} ${quoted(location.origin + path)}`];
  // Calls below a project are an administrator's.
  if (/^\/.*\/?v\d\/projects\//.test(path)) words.push("-H 'Authorization: Bearer owner'");
  if (body) {
    const content = typeof body === "string" ? body : JSON.stringify(body);
    const kind = /^\s*[[{]/.test(content) ? "json" : "x-www-form-urlencoded";
    words.push(`-H 'Content-Type: application/${kind}'`, `-d ${quoted(content)}`);
  }
  return words.join(" \\\n  ");
}

export async function show({ root, project, signal, hear }) {
  const rows = new Map();
  const filter = input({ type: "search", placeholder: "signUp 400" });
  const errors = checkbox();
  const control = checkbox();
  const count = h("p.hint");
  const frame = table("Requests", columns, []);
  const body = frame.querySelector("tbody");

  function matches(entry) {
    if (errors.checked && entry.status < 400) return false;
    if (!control.checked && (entry.client || /^(hearth|emulator)\./.test(entry.operation))) {
      return false;
    }
    const words = [entry.method, entry.path, entry.operation, entry.status, entry.error,
      entry.reason, entry.fault, entry.caller, entry.uid].join(" ");
    return filter.value.toLowerCase().split(/\s+/).every((word) => words.toLowerCase().includes(word));
  }

  const apply = () => {
    let visible = 0;
    for (const { entry, row, close } of rows.values()) {
      row.hidden = !matches(entry);
      if (row.hidden) close();
      else visible += 1;
    }
    count.textContent = rows.size ? `${visible} of the last ${rows.size} requests, newest first`
      : "No requests yet.";
  };
  const soon = settled(apply, 50);

  function add(entry) {
    if (rows.has(entry.id)) return;
    let details = null;
    const close = () => {
      details?.remove();
      details = null;
      toggle.ariaExpanded = "false";
    };
    const toggle = h("button.link", { type: "button", "aria-expanded": "false", onclick: () => {
      if (details) return close();
      details = h("tr", {}, h("td.whole", { colspan: columns.length },
        facts([["Path", entry.path], ["Resource", entry.resource], ["Time", time(entry.time)], ["Operation", entry.operation],
          ["Took", `${entry.milliseconds} ms`], ["Caller", entry.uid ?? entry.caller],
          ["Error", entry.error && readable(entry.error)], ["Reason", entry.reason],
          ["By fault", entry.fault && h("code", {}, entry.fault)]]),
        entry.body && h("pre", {}, readable(entry.body)),
        // Calls over gRPC and WebChannel are nothing for curl.
        !entry.resource && actions(copyButton("Copy as curl", curl(entry)))));
      row.after(details);
      toggle.ariaExpanded = "true";
    } }, entry.path.replace(/^\/[\w.-]+\.googleapis\.com/, ""));
    const row = tr(columns, [toggle, entry.method,
      tag(entry.status, entry.status < 400 ? "good" : "bad"),
      [entry.error, entry.fault && " (fault)"], short(entry.operation), entry.uid ?? entry.caller,
      entry.milliseconds,
      new Date(entry.time).toLocaleTimeString()]);
    row.hidden = !matches(entry);
    body.prepend(row);
    rows.set(entry.id, { entry, row, close });
    if (rows.size <= most) return;
    const [id, oldest] = rows.entries().next().value;
    oldest.close();
    oldest.row.remove();
    rows.delete(id);
  }

  async function load() {
    const { requests = [] } = await call("GET", own(project, `requests?all=${control.checked}`), { signal });
    requests.forEach(add);
    apply();
  }

  await load();
  root.append(h("search.bar", {}, field("Filter", filter), field("Only errors", errors),
    field("Hearth's own calls too", control)), count, frame);
  control.addEventListener("input", () => load().catch(() => {}));
  for (const element of [filter, errors, control]) element.addEventListener("input", apply);
  hear((event, data) => {
    if (event === "request" && data.id && data.path) {
      add(data);
      soon();
    } else if (/^(request|poll|sync)$/.test(event)) load().catch(() => {});
  });
}

"""##),
    "settings.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// The project's switches.

import { call, own } from "./api.js";
import { checkbox, fail, field, h, hint, input, say, select } from "./ui.js";

const modes = ["emulator", "pessimistic", "optimistic"];

const words = {
  emailEnumerationProtection: "Hide whether an e-mail address is known",
  acceptUnsignedTokens: "Accept unsigned ID tokens and custom tokens",
  tokenExpiry: "Tokens and cookies expire",
  codeExpiry: "Codes in mails and text messages expire",
  rateLimits: "Limit the number of attempts",
  recentLogin: "Require a recent sign-in for sensitive changes",
  authorizedDomains: "Allow links to authorized domains only",
  strictTenants: "Refuse unknown tenants",
  strictProviders: "Refuse providers without configuration",
  passwordResetCodeLifetime: "Lifetime of a password-reset code, in seconds",
  verificationCodeLifetime: "Lifetime of a verification code, in seconds",
  emailLinkCodeLifetime: "Lifetime of a sign-in link, in seconds",
  smsCodeLifetime: "Lifetime of a code in a text message, in seconds",
  wrongPasswordLimit: "Wrong passwords until an account is blocked",
  passwordResetLimit: "Password-reset mails to one account",
  rateLimitWindow: "Window in which attempts are counted, in seconds",
  transactions: "How transactions of Firestore keep out of each other's way",
};

export async function show({ root, project, signal, hear }) {
  const path = own(project, "switches");

  // Each shows and tells the value that an element holds.
  const kinds = {
    boolean: { make: checkbox, read: (element) => element.checked },
    number: {
      make: (value) => input({ type: "number", min: 1, max: 1e9, required: true, value }),
      read: (element) => Number(element.value),
    },
    string: {
      make: (value) => select(modes.map((mode) => [mode]), value),
      read: (element) => element.value,
    },
  };

  function control([name, value]) {
    const { make, read } = kinds[typeof value];
    const element = make(value);
    element.addEventListener("change", async () => {
      if (!element.reportValidity()) return;
      const wanted = read(element);
      try {
        await call("PATCH", path, { body: { [name]: wanted } });
        value = wanted;
        say("Saved.");
      } catch (error) {
        if (typeof value === "boolean") element.checked = value;
        else element.value = value;
        fail(error);
      }
    });
    return field(words[name] ?? name, element, name);
  }

  async function load() {
    const switches = Object.entries(await call("GET", path, { signal }));
    const of = (kind) => switches.filter(([, value]) => typeof value === kind).map(control);
    root.replaceChildren(
      hint("Each switch chooses between the official emulator and production. Changes take effect "
        + "at once."),
      h("fieldset", {}, h("legend", {}, "Switches"), of("boolean")),
      h("fieldset", {}, h("legend", {}, "Modes"), h("div.grid", {}, of("string"))),
      h("fieldset", {}, h("legend", {}, "Numbers"), h("div.grid", {}, of("number"))));
  }
  // Not while one is typing.
  hear((event) => {
    if (/^(switches|sync)/.test(event) && !root.contains(document.activeElement)) load();
  });
  await load();
}

"""##),
    "style.css": ConsoleAsset(contentType: "text/css; charset=utf-8", text: ##"""
:root {
  color-scheme: light dark;
  --page: #faf7f4; --card: #fff; --ink: #221d1a; --soft: #6b605a; --line: #ded5ce;
  --accent: #b0400c; --on-accent: #fff; --tint: #fbe9dd; --focus: #1d5fd1;
  --good: #17663a; --good-tint: #ddf3e4; --bad: #b3261e; --bad-tint: #fbe3e1;
  font: 100%/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #171412; --card: #211d1a; --ink: #f0e9e4; --soft: #b0a49c; --line: #40382f;
    --accent: #ff9d66; --on-accent: #2a1203; --tint: #3a2418; --focus: #8ab4ff;
    --good: #7ad79b; --good-tint: #17351f; --bad: #ff9c94; --bad-tint: #451a17;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0; background: var(--page); color: var(--ink); display: grid; min-height: 100vh;
  grid: "top top" auto "nav main" 1fr / 11rem minmax(0, 1fr);
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
:is(main, h1, h2):focus { outline: none; }

/* The frame */
header {
  grid-area: top; display: flex; align-items: center; justify-content: space-between; gap: 1rem;
  padding: .4rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line);
}
.brand { margin: 0; font-size: 1.2rem; font-weight: 700; }
.brand a, body > nav a { text-decoration: none; }
#picker .field { display: flex; align-items: center; gap: .5rem; margin: 0; }
#picker select { max-width: 13rem; }
body > nav { grid-area: nav; padding: 1rem .75rem; }
body > nav ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 1rem; }
body > nav a { display: block; padding: .4rem .75rem; border-radius: .5rem; color: inherit; }
body > nav a:hover, body > nav a[aria-current] { background: var(--tint); }
body > nav a[aria-current] { color: var(--accent); font-weight: 600; }
main { grid-area: main; padding: 1rem 1.25rem 5rem; min-width: 0; overflow-wrap: break-word; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem; background: var(--card); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
#toasts { position: fixed; right: 1rem; bottom: 1rem; display: grid; gap: .5rem; z-index: 1; }
.toast {
  display: flex; gap: .75rem; align-items: center; justify-content: space-between; margin-left: 1rem;
  padding: .5rem .9rem; box-shadow: 0 .25rem 1rem #0004;
}

/* Words */
h1 { font-size: 1.5rem; margin: 0 0 .75rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; line-height: 1.3; }
h3 { font-size: 1rem; margin: 1rem 0 .5rem; }
main > div > * + h2 { margin-top: 1.5rem; }
small, .hint, dt { color: var(--soft); font-size: .875rem; }
code, pre, textarea { font: .875rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
code, dd { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem; max-height: 40rem; overflow: auto; }
.notice { border-left: .3rem solid var(--soft); background: var(--card); padding: .6rem .9rem; margin: .5rem 0; }
.notice.bad { border-color: var(--bad); background: var(--bad-tint); }
.notice small { color: inherit; }
.tag, .list time { white-space: nowrap; }
.tag { font-size: .8rem; padding: .05rem .5rem; border-radius: 1rem; background: var(--line); color: var(--ink); }
.tag[data-kind=good] { background: var(--good-tint); color: var(--good); }
.tag[data-kind=bad] { background: var(--bad-tint); color: var(--bad); }
dl { margin: 0 0 1rem; display: grid; gap: .2rem; }
dl > div { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .5rem; align-items: baseline; }
dd { margin: 0; }
dd .actions { margin: .35rem 0 .5rem; }
summary { cursor: pointer; font-weight: 600; margin: 1rem 0; }

/* Controls */
button, .button, input, select, textarea {
  font-size: 1rem; color: inherit; background: var(--card); border: 1px solid var(--soft);
  border-radius: .5rem; padding: .35rem .7rem;
}
button, .button, input, select { font-family: inherit; line-height: 1.5; }
button, .button { cursor: pointer; text-decoration: none; }
button:hover, .button:hover { background: var(--tint); }
button[aria-disabled] { opacity: .6; cursor: progress; }
.primary, .primary:hover { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.danger { color: var(--bad); border-color: var(--bad); }
button.link { border: 0; background: none; padding: 0; color: var(--accent); text-align: left; text-decoration: underline; }
input:not([type=checkbox]), textarea, select { width: 100%; min-width: 0; }
input[type=checkbox] { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); }
::placeholder { color: var(--soft); opacity: 1; }
.field { margin: 0 0 .75rem; }
.field label, .field small { display: block; }
label, legend { font-weight: 600; font-size: .9rem; }
.check { display: grid; grid-template-columns: auto 1fr; gap: 0 .6rem; }
.check small { grid-column: 2; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 0 1rem; }
form { max-width: 60rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; align-items: baseline; }
.bar { display: flex; flex-wrap: wrap; align-items: flex-start; gap: .25rem 1rem; margin-bottom: .5rem; }
.bar > .field, .bar > form { flex: 1 1 16rem; }
.bar > .check { flex: none; }
.bar > :not(.field:not(.check), form) { margin-top: 1.35rem; }
.bar > form { display: grid; grid-template-columns: 1fr auto; gap: 0 .5rem; }
.bar > form > .actions { grid-area: 1 / 2; margin: 1.35rem 0 0; align-items: start; }
dialog { width: min(30rem, calc(100vw - 2rem)); margin: auto !important; color: inherit; }
dialog::backdrop { background: #0008; }
.tabs { display: flex; flex-wrap: wrap; margin: 1rem 0 .5rem; border-bottom: 1px solid var(--line); }
.tabs button { border: 0; border-radius: .4rem .4rem 0 0; background: none; }
.tabs [aria-selected=true] { color: var(--accent); font-weight: 600; box-shadow: inset 0 -.2rem var(--accent); }

/* Tables, lists and cards */
.card, .detail, fieldset, .list, .toast, dialog, table, pre, iframe {
  background: var(--card); border: 1px solid var(--line); border-radius: .75rem; margin: 0;
}
.card, .detail, fieldset { padding: 1rem; margin-bottom: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .7rem; border-bottom: 1px solid var(--line); }
thead th { font-size: .85rem; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 11rem; }
tbody small { display: block; }
.face small, td time, td:last-child { white-space: nowrap; }
.list { list-style: none; padding: 0; overflow: auto; max-height: 75vh; }
.list li + li { border-top: 1px solid var(--line); }
.list:empty { display: none; }
.list a { display: block; padding: .5rem .85rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.list a:hover, .list a[aria-current] { background: var(--tint); }
.list a[aria-current] { box-shadow: inset .25rem 0 var(--accent); }
.list a:focus-visible { outline-offset: -3px; }
.list a > * { display: block; }
.split { display: grid; grid-template-columns: minmax(14rem, 2fr) minmax(0, 3fr); gap: 1.25rem; }
.split > :first-child > .hint { margin-top: 0; }
iframe { width: 100%; height: 32rem; background: Canvas; }
.face { font-size: 1.5rem; }
.columns { display: flex; gap: 1rem; overflow-x: auto; align-items: flex-start; padding: .25rem; }
.column { flex: 0 0 11rem; }
.editor { flex: 1 0 27rem; }
.row { display: grid; grid-template-columns: 1fr 8.5rem 1.5fr auto; gap: .35rem; align-items: start; border: 0; padding: 0; margin: 0 0 .5rem; background: none; }
.small { display: none; }
td.whole { white-space: normal; }
@media (max-width: 50rem) {
  body { display: block; }
  header, main { padding: .5rem .75rem; }
  body > nav { padding: .35rem .5rem 0; }
  body > nav ul { display: flex; flex-wrap: wrap; }
  body > nav a { padding: .3rem .55rem; }
  .wide, .opened .bar, .opened .split > :first-child, .split > .detail, .column { display: none; }
  .small, .opened .split > .detail, .column:last-child { display: block; }
  .column:has(+ .editor) { display: block; order: 1; }
  .split, dl > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .bar > * { margin-top: 0 !important; }
  tbody th { min-width: 8rem; }
  .columns { flex-direction: column; align-items: stretch; }
  .column { flex: none; }
  .row { grid-template-columns: 1fr 1fr auto; }
  .row > :nth-child(4) { grid-column: 1 / 3; }
}

"""##),
    "ui.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// Pieces that every view is made of. Text always goes in as text, never as HTML.

let lastId = 0;
const freshId = () => `e${++lastId}`;

/** Makes an element: h("a.button", { href }, "Open"). Absent attributes and children are left out. */
export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => ![false, null, undefined].includes(child)));
  return element;
}

const plain = { autocomplete: "off", spellcheck: "false" };
export const input = (attributes) => h("input", { ...plain, ...attributes });
export const area = (rows, value) => h("textarea", { ...plain, rows, value });
export const checkbox = (checked) => h("input", { type: "checkbox", checked: Boolean(checked) });
/** Options are [value, label]. */
export const select = (options, chosen, attributes) => h("select", attributes, options.map(
  ([value, label]) => h("option", { value, selected: value === chosen }, label ?? value)));

/** A control with its label and a hint. */
export function field(label, control, hint) {
  control.id ||= freshId();
  const note = hint && h("small", { id: freshId() }, hint);
  if (note) control.setAttribute("aria-describedby", note.id);
  const parts = [h("label", { for: control.id }, label), control, note];
  return control.type === "checkbox"
    ? h("div.field.check", {}, control, parts[0], note) : h("div.field", {}, parts);
}

export const actions = (...children) => h("p.actions", {}, children);
export const hint = (words) => h("p.hint", {}, words);
/** A heading that is given the focus when one comes to what it heads. */
export const heading = (words, level = 2) => h(`h${level}`, { tabindex: -1 }, words);

/** A button that waits for the end of its work and shows how it failed. */
export function button(label, work, attributes) {
  const element = h("button", { type: "button", ...attributes, onclick: async () => {
    if (element.getAttribute("aria-disabled")) return;
    element.setAttribute("aria-disabled", "true");
    try { await work(); } catch (error) { fail(error); }
    element.removeAttribute("aria-disabled");
  } }, label);
  return element;
}

/** A button that asks before something is gone for good. */
export const dangerous = (label, words, work) => button(label,
  () => dialog(`${label}?`, hint(words), label, work, "danger"), { class: "danger" });

/** A form that does its work in place and shows below its fields what went wrong. */
export function form(children, label, work, kind = "primary", ...more) {
  const trouble = h("div", { role: "alert" });
  const element = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    const focused = document.activeElement;
    trouble.replaceChildren();
    // What is typed while the work goes on would be lost.
    element.inert = true;
    try {
      await work();
    } catch (error) {
      trouble.replaceChildren(problem(error));
    }
    element.inert = false;
    if (document.activeElement === document.body) focused.focus();
  } }, children, trouble, actions(h("button", { type: "submit", class: kind }, label), more));
  return element;
}

/** Asks in a dialog, until the work is done or the person changes their mind. */
export function dialog(title, children, label, work, kind) {
  const close = () => box.close();
  const name = h("h2", { id: freshId() }, title);
  const box = h("dialog", { "aria-labelledby": name.id, onclose: () => box.remove() }, name,
    form(children, label, async () => { await work(); close(); }, kind,
      button("Cancel", close, { autofocus: kind === "danger" })));
  document.body.append(box);
  box.showModal();
}

/** What to show in place of something that could not be had. */
export function problem(error) {
  return error.unavailable ? h("p.notice", {}, "Not available in this version of Hearth.")
    : h("p.notice.bad", {}, h("strong", {}, error.message), " ",
      h("small", {}, error.status || "", " ", error.statusName));
}

/** Fills a place with what can be had, or with why not. */
export async function fill(place, make) {
  try {
    const content = await make();
    if (content !== undefined) place.replaceChildren(...[content].flat());
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(problem(error));
  }
}

/** Says something to screen readers without showing it. */
export function announce(words) {
  const region = document.getElementById("announcer");
  region.textContent = "";
  setTimeout(() => { region.textContent = words; }, 50);
}

function toast(content, attributes) {
  const element = h("div.toast", attributes, content, button("×", () => element.remove(),
    { "aria-label": "Dismiss" }));
  document.getElementById("toasts").append(element);
  return element;
}

export function say(words) {
  announce(words);
  const element = toast(words);
  setTimeout(() => element.remove(), 4000);
}

export function fail(error) {
  if (error.name !== "AbortError") toast(problem(error), { role: "alert" });
}

/** A button that puts a text on the clipboard. */
export const copyButton = (label, text) => button(label, async () => {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
  } else {
    // A page that came over plain HTTP from another machine has no clipboard.
    const source = h("textarea.unseen", { value: text });
    document.body.append(source);
    source.select();
    document.execCommand("copy");
    source.remove();
  }
  say("Copied.");
});

/** Tabs; each is [name, make], made when it is first shown. */
export function tabs(label, entries) {
  const made = entries.map(([name, make], index) => {
    const panel = h("div", { role: "tabpanel", id: freshId(), tabindex: 0 });
    const tab = h("button", { type: "button", role: "tab", id: freshId(),
      "aria-controls": panel.id, onclick: () => choose(index), onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: -1 - index }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        choose((index + step + made.length) % made.length).focus();
      } }, name);
    panel.setAttribute("aria-labelledby", tab.id);
    return { tab, panel, make };
  });
  function choose(chosen) {
    made.forEach(({ tab, panel, make }, index) => {
      const isChosen = index === chosen;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
      if (isChosen && !panel.childNodes.length) fill(panel, make);
    });
    return made[chosen].tab;
  }
  choose(0);
  return h("div", {}, h("div.tabs", { role: "tablist", "aria-label": label },
    made.map(({ tab }) => tab)), made.map(({ panel }) => panel));
}

/** Rows of a name and what it is; rows without a value are left out. */
export const facts = (rows) => h("dl", {}, rows.filter(([, value]) => value || value === 0)
  .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

/** A row of a table; its first cell is its heading. Columns are [name, class]. */
export const tr = (columns, cells) => h("tr", {}, cells.map((cell, index) => h(
  index ? "td" : "th", { class: columns[index][1], scope: !index && "row" }, cell)));

/** A table in a frame that scrolls sideways. */
export const table = (caption, columns, rows) => h("div.scroll",
  { role: "region", "aria-label": caption, tabindex: 0 }, h("table", {},
    h("thead", {}, h("tr", {}, columns.map(([name, kind]) => h(
      "th", { scope: "col", class: kind }, name)))),
    h("tbody", {}, rows.map((cells) => tr(columns, cells)))));

/** A mark: good, bad or neither. */
export const tag = (words, kind) => h("span.tag", { "data-kind": kind }, words);

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time, from milliseconds or ISO 8601; nothing from nothing. */
export function time(value) {
  const date = new Date(/^\d+$/.test(value) ? Number(value) : value);
  if (!value || Number.isNaN(date.getTime())) return value;
  return h("time", { datetime: date.toISOString(), title: date.toISOString() }, dates.format(date));
}

/** Calls `work` once, a moment after the last of many calls. */
export function settled(work, delay = 100) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, delay);
  };
}

export const pretty = (value) => JSON.stringify(value, null, 2);

/** The JSON object that a person typed, or an error that says what is wrong with it. */
export function parseObject(source, name) {
  let value = null;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new Error(`${name}: ${error.message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error(`${name} must be a JSON object, such as {"role": "admin"}.`);
  }
  return value;
}

"""##),
    "users.js": ConsoleAsset(contentType: "text/javascript; charset=utf-8", text: ##"""
// Accounts: found, made, changed, ended.

import { accounts, call, now, own } from "./api.js";
import { tokenTool } from "./keys.js";
import {
  actions, area, button, checkbox, copyButton, dangerous, facts, field, fill, form, h, heading,
  hint, input, parseObject, pretty, say, settled, table, tag, time,
} from "./ui.js";

const pageSize = 50;
const creating = "+new";
const hashOf = (localId) => `#/users/${encodeURIComponent(localId)}`;
const nameOf = (user) => user.email || user.phoneNumber || user.displayName || user.localId;
const providers = (user) => (user.providerUserInfo ?? []).map((info) => info.providerId).join(", ")
  || "anonymous or custom";

export async function show({ root, project, path, signal, hear, retitle }) {
  let refresh = null;
  const go = async ([localId], moves = true) => {
    retitle(localId);
    root.replaceChildren();
    refresh = null;
    if (localId === undefined) refresh = await showList(root, project, signal);
    else {
      root.append(h("p", {}, h("a", { href: "#/users" }, "All users")));
      if (localId === creating) newUser(root, project);
      else await showUser(root, project, localId, signal);
    }
    if (moves) root.querySelector("h2, input").focus();
  };
  const soon = settled(() => refresh?.(), 300);
  hear((event) => { if (/^(user|sync)/.test(event)) soon(); });
  await go(path, false);
  return go;
}

/** A phone number is stored without the marks that people write it with. */
function sought(text) {
  const phone = text.replace(/[\s()-]/g, "");
  return /^\+?\d+$/.test(phone) ? phone : text;
}

async function showList(root, project, signal) {
  let page = 0;
  const search = input({ type: "search", placeholder: "ann@example.com" });
  const count = h("p.hint", { role: "status" });
  const place = h("div");
  const back = button("Previous", () => load(page - 1));
  const next = button("Next", () => load(page + 1));
  search.addEventListener("input", settled(() => load(0), 250));
  root.append(
    h("search.bar", {}, form(field("Find", search, "A part of the e-mail address, phone number, name or uid"),
      "Find", () => load(0), ""),
    h("a.button.primary", { href: hashOf(creating) }, "New user"),
    dangerous("Delete all", `All accounts of ${project} will be deleted.`, async () => {
      await call("DELETE", `/emulator/v1/projects/${encodeURIComponent(project)}/accounts`);
      await load(0);
    })),
    count, place, actions(back, next),
    h("details", {}, h("summary", {}, "Decode a token"), tokenTool(project)));

  const load = (wanted) => fill(place, async () => {
    const text = search.value.trim();
    const query = new URLSearchParams({
      q: sought(text), limit: pageSize, offset: wanted * pageSize });
    const { userInfo: users = [], recordsCount: total } = await call(
      "GET", own(project, `accounts?${query}`), { signal });
    page = wanted;
    const start = page * pageSize;
    count.textContent = total > 0 ? `${start + 1}–${start + users.length} of ${total}, newest first`
      : text ? "No users found." : "No users yet.";
    back.hidden = !page;
    next.hidden = start + users.length >= total;
    if (!users.length) return [];
    return table("Users", [["User"], ["Uid", "wide"], ["Signs in with", "wide"], ["State"],
      ["Created", "wide"], ["Last sign-in", "wide"]], users.map((user) => [
      [h("a", { href: hashOf(user.localId) }, nameOf(user)), " ", h("small", {}, user.displayName)],
      h("code", {}, user.localId), providers(user),
      user.disabled ? tag("disabled", "bad") : user.emailVerified && tag("verified", "good"),
      time(user.createdAt), time(user.lastLoginAt),
    ]));
  });
  await load(0);
  return () => load(page);
}

/** The form of an account, and what the person changed in it: the members for the wire. */
function editor(user) {
  const texts = {
    displayName: ["Name"], email: ["E-mail", { type: "email" }],
    phoneNumber: ["Phone", { type: "tel", placeholder: "+15555550100" }],
    photoUrl: ["Photo", { type: "url", placeholder: "https://…" }],
    password: [user.localId ? "New password" : "Password"],
  };
  const controls = Object.entries(texts).map(([name, [label, attributes]]) => [name, label,
    input({ value: user[name] ?? "", ...attributes })]);
  const verified = checkbox(user.emailVerified);
  const disabled = checkbox(user.disabled);
  const before = user.customAttributes ? pretty(JSON.parse(user.customAttributes)) : "";
  const claims = area(4, before);
  const changes = () => {
    const body = {};
    for (const [name, , control] of controls) {
      const value = control.value.trim();
      if (value !== (user[name] ?? "")) body[name] = value;
    }
    // A new address is not verified, unless the box says so.
    if (body.email || verified.checked !== Boolean(user.emailVerified)) {
      body.emailVerified = verified.checked;
    }
    if (disabled.checked !== Boolean(user.disabled)) body.disabled = disabled.checked;
    if (claims.value.trim() !== before) {
      body.customAttributes = JSON.stringify(parseObject(claims.value.trim() || "{}", "Custom claims"));
    }
    return body;
  };
  return { changes, fields: [
    h("div.grid", {}, controls.map(([, label, control]) => field(label, control))),
    field("E-mail is verified", verified), field("Disabled", disabled),
    field("Custom claims", claims, "A JSON object, at most 1000 characters"),
  ] };
}

function newUser(root, project) {
  const uid = input({ maxlength: 128 });
  const { changes, fields } = editor({});
  root.append(heading("New user"), form([field("Uid", uid, "Generated if left empty"), fields],
    "Create", async () => {
      const { customAttributes, ...body } = changes();
      if (uid.value) body.localId = uid.value;
      const { localId } = await accounts(project, "", body);
      if (customAttributes) await accounts(project, ":update", { localId, customAttributes });
      say("User created.");
      location.hash = hashOf(localId);
    }));
}

/** The members that delete a value where an empty text does not. */
const removals = {
  displayName: { deleteAttribute: "DISPLAY_NAME" }, photoUrl: { deleteAttribute: "PHOTO_URL" },
  email: { deleteAttribute: "EMAIL" }, phoneNumber: { deleteProvider: "phone" },
};

async function showUser(root, project, localId, signal) {
  const place = root.appendChild(h("div.card"));
  const load = () => fill(place, async () => {
    const { users } = await accounts(project, ":lookup", { localId: [localId] }, signal);
    return users?.length ? draw(users[0])
      : [heading("No such user"), hint(`Project ${project} has no user ${localId}.`)];
  });

  async function update(changes, words) {
    const { disabled, ...body } = changes;
    for (const [name, removal] of Object.entries(removals)) {
      if (body[name] !== "") continue;
      delete body[name];
      for (const [list, value] of Object.entries(removal)) (body[list] ??= []).push(value);
    }
    if (disabled !== undefined) body.disableUser = disabled;
    await accounts(project, ":update", { localId, ...body });
    await load();
    place.querySelector("h2")?.focus();
    say(words);
  }

  function draw(user) {
    const { changes, fields } = editor(user);
    return [
      heading(nameOf(user)),
      actions(
        user.email && button("Send password reset", async () => {
          await accounts(project, ":sendOobCode",
            { requestType: "PASSWORD_RESET", email: user.email });
          say("Sent; the mail is in the mailbox.");
        }),
        button(user.disabled ? "Enable" : "Disable", () => update(
          { disabled: !user.disabled }, user.disabled ? "User enabled." : "User disabled.")),
        button("End sessions", () => update(
          { validSince: String(Math.floor(now() / 1000)) }, "All sessions ended.")),
        dangerous("Delete", `${nameOf(user)} will be deleted.`, async () => {
          await accounts(project, ":delete", { localId });
          say("User deleted.");
          location.hash = "#/users";
        })),
      facts([
        ["Uid", [h("code", {}, localId), " ", copyButton("Copy uid", localId)]],
        ["State", user.disabled ? tag("disabled", "bad") : tag("enabled", "good")],
        ["Signs in with", providers(user)],
        ["Second factors", (user.mfaInfo ?? []).map((factor) => factor.displayName
          || factor.phoneInfo || factor.mfaEnrollmentId).join(", ")],
        ["Created", time(user.createdAt)], ["Last sign-in", time(user.lastLoginAt)],
        ["Sessions since", user.validSince && time(user.validSince * 1000)],
      ]),
      form(fields, "Save", () => update(changes(), "User saved.")),
      h("details", {}, h("summary", {}, "The whole record"), h("pre", {}, pretty(user))),
    ];
  }
  await load();
}

"""##),
  ]
}
