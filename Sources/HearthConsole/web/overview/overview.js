// What this server is: its addresses, what it has loaded, and what each project holds.

import { accounts, call, now, own, readClock } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import {
  copyButton, facts, fill, h, hint, plural, problem, settled, snippets, span,
} from "../core/ui.js";
import { googleCard, phonesCard } from "./cards.js";
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
  google: "Google, with TLS",
  proxy: "Proxy",
  metadata: "Metadata server",
  firebaseJson: "firebase.json",
  rules: "Rules",
  indexes: "Indexes",
  databaseRules: "Rules of a database",
  seeds: "Seeds",
  import: "Import",
  dialects: "Dialects",
  dataDirectory: "Data",
  exportOnExit: "Export on exit",
  smtpRelay: "Mail relay",
  functions: "Functions emulator",
  trustDirectory: "Trust folder",
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
  // Phones have a card of their own instead of this warning.
  const warnings = (about.warnings ?? []).filter(({ code }) => code !== "LAN" || !about.phones)
    .map((one) => h("p.notice.warn", {}, one.message ?? one));
  const counts = h("div.tiles");
  const google = about.asGoogle && googleCard(signal);
  root.append(...warnings, counts, h("div.cards", {}, phonesCard(about.phones), google?.element,
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
          ["Mode", about.asGoogle && "as Google"],
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
      console: location.origin,
      unsigned: about.addresses?.unsignedAuth,
      google: about.asGoogle && { folder: about.loaded?.trustDirectory }
    });
  }

  const tile = (view, number, words, params) => h("a.tile", { href: linkTo(view, [], params) },
    h("strong", {}, number), h("span", {}, words));

  /** What an older server lacks counts as nothing; any other refusal is shown. */
  const known = (answer, otherwise = {}) => answer.catch((error) => {
    if (!error.unavailable) throw error;
    return otherwise;
  });

  const read = () => fill(counts, async () => {
    const get = (rest) => known(call("GET", own(project, rest), { signal }));
    const [users, mails, requests, faults, clock] = await Promise.all([
      known(accounts(project, ":query", { returnUserInfo: false }, signal)),
      get("messages?limit=1&summary=true"), get("requests"), get("faults"),
      known(readClock(project, signal), null)
    ]);
    const failed = (requests.requests ?? []).filter(({ status, client }) => status >= 400 &&
      !client);
    const active = faults.faults ?? [];
    const off = clock ? now() - Date.now() : 0;
    return [
      tile("users", users.recordsCount ?? 0, Number(users.recordsCount) === 1 ? "user" :
        "users"),
      tile("mailbox", mails.total ?? 0, mails.total === 1 ? "message" : "messages"),
      tile("requests", failed.length,
        `failed of ${plural((requests.requests ?? []).length, "request")}`, { failed: failed
            .length ? 1 : "" }),
      tile("faults", active.length, active.length === 1 ? "fault" : "faults"),
      tile("clock", clock?.frozen ? "Frozen" : clock && clock.offset !== "PT0S" ?
        `${off < 0 ? "−" : "+"}${span(Math.abs(off))}` : "Real time", "clock"),
    ];
  });
  hear((event) => { if (/^(user|message|request|faults|clock|sync|poll)/.test(event)) soon(); });
  const soon = settled(read, 300);
  google?.watch(hear);
  await read().catch((error) => root.append(problem(error)));
}
