// What this server is: its addresses, what it has loaded, and what each project holds.

import { accounts, call, now, own, readClock } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import {
  copyButton, facts, fill, h, hint, plural, problem, settled, snippets, span,
} from "../core/ui.js";
import { sdkSnippets } from "./snippets.js";

const titles = {
  auth: "Auth",
  firestore: "Firestore",
  console: "Console",
  hub: "Hub",
  unsignedAuth: "Auth, unsigned tokens",
  smtp: "SMTP",
  smtpTls: "SMTP with STARTTLS",
  mailApi: "Mail APIs",
  firebaseJson: "firebase.json",
  rules: "Rules",
  seeds: "Seeds",
  import: "Import",
  dialects: "Dialects",
  dataDirectory: "Data",
  exportOnExit: "Export on exit",
  smtpRelay: "Mail relay",
  functions: "Functions emulator",
};

const asHost = (value) => String(value).replace(/^https?:\/\//, "").replace(/\/$/, "");

function rowsOf(group) {
  return (Array.isArray(group) ? group.map(({ name, url, value }) => [name, url ?? value]) :
    Object.entries(group ?? {})).flatMap(([name, value]) => [value].flat()
    .filter((one) => one !== null && one !== "" && one !== false).map((one) => [
      titles[name] ?? name, typeof one === "object" ? one.url ?? one.address ?? one.name ?? JSON
      .stringify(one) : one
    ]));
}

const kept = "hearth.sdk";

export async function show({ root, project, signal, hear }) {
  const about = await call("GET", "/emulator/v1/overview", { signal }).catch((error) => {
    if (!error.unavailable && error.status !== 404) throw error;
    // An older server: each of its ports answers to all.
    return { addresses: { auth: location.host, firestore: location.host, console: location
          .host } };
  });
  const address = (name) => asHost(about.addresses?.[name]?.url ?? about.addresses?.[name] ??
    location.host);
  const warnings = (about.warnings ?? []).map((one) => h("p.notice.warn", {}, one.message ??
  one));
  const counts = h("div.tiles");
  root.append(...warnings, counts, h("div.cards", {},
      h("section.card", { "aria-labelledby": "addresses" }, h("h2", { id: "addresses" },
          "Addresses"),
        h("dl.addresses", {}, rowsOf(about.addresses).map(([name, value]) => h("div", {}, h(
            "dt", {}, name),
          h("dd", {}, h("code", {}, asHost(value)), copyButton("Copy", asHost(
          value), { class: "slim quiet", "aria-label": `Copy the address of ${name}` })))))),
      h("section.card", { "aria-labelledby": "loaded" }, h("h2", { id: "loaded" }, "Loaded"),
        facts([
          ["Version", about.version],
          ["Default project", about.defaultProject],
          ["Profile", about.profile],
          ...rowsOf(about.loaded).map(([name, value]) => [name, h("code", {}, String(value))])
        ]),
        !about.loaded && hint("This version of Hearth does not say what it has loaded."))),
    h("section.card", { "aria-labelledby": "connect" }, h("h2", { id: "connect" },
      "Connect an app"), snippets("SDK", sdk(),
      localStorage.getItem(kept), (name) => localStorage.setItem(kept, name))),
    hint(["Press ", h("kbd", {}, "?"), " for the keys of this console, ", h("kbd", {}, "/"),
      " to search."
    ]));

  function sdk() {
    return sdkSnippets({
      auth: address("auth"),
      firestore: address("firestore"),
      project,
      console: location.origin
    });
  }

  const tile = (view, number, words, params) => h("a.tile", { href: linkTo(view, [], params) },
    h("strong", {}, number), h("span", {}, words));

  const read = () => fill(counts, async () => {
    const get = (rest) => call("GET", own(project, rest), { signal }).catch(() => ({}));
    const [users, mails, requests, faults, clock] = await Promise.all([
      accounts(project, ":query", { returnUserInfo: false }, signal).catch(() => ({})),
      get("messages?limit=1000"), get("requests"), get("faults"), readClock(project,
        signal).catch(() => null)
    ]);
    const list = mails.messages ?? [];
    const failed = (requests.requests ?? []).filter(({ status, client }) => status >= 400 &&
      !client);
    const active = faults.faults ?? [];
    const off = clock ? now() - Date.now() : 0;
    return [
      tile("users", users.recordsCount ?? 0, "users"),
      tile("mailbox", mails.total ?? (list.length === 1000 ? "1000+" : list.length),
        "messages"),
      tile("requests", failed.length,
        `failed of ${plural((requests.requests ?? []).length, "request")}`, { failed: failed
            .length ? 1 : "" }),
      tile("faults", active.length, active.length === 1 ? "fault" : "faults"),
      tile("clock", Math.abs(off) < 2000 && !clock?.frozen ? "real" : clock?.frozen ?
        "frozen" :
        `${off < 0 ? "−" : "+"}${span(Math.abs(off))}`, "time"),
    ];
  });
  hear((event) => { if (/^(user|message|request|faults|clock|sync|poll)/.test(event)) soon(); });
  const soon = settled(read, 300);
  await read().catch((error) => root.append(problem(error)));
}
