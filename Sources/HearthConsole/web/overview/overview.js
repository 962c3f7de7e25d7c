// What this server is: its addresses, what it has loaded, and what each project holds.

import { call, own } from "../core/api.js";
import { copyButton, facts, h, hint, snippets } from "../core/ui.js";
import { googleCard, phonesCard } from "./cards.js";
import { sdkSnippets } from "./snippets.js";
import { showTiles } from "./tiles.js";

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
  return (Array.isArray(group)
    ? group.map(({ name, url, value }) => [name, url ?? value])
    : Object.entries(group ?? {})).flatMap(([name, value]) =>
      [value].flat()
        .filter((one) => one !== null && one !== "" && one !== false).map((one) => [
          titles[name] ?? name,
          typeof one === "object"
            ? one.url ?? one.address ?? one.name ?? JSON
              .stringify(one)
            : one,
        ])
    );
}

const kept = "hearth.sdk";

/** What the server tells of itself. */
const readAbout = (signal) =>
  call("GET", "/emulator/v1/overview", { signal }).catch((error) => {
    if (!error.unavailable && error.status !== 404) throw error;
    // An older server: each of its ports answers to all.
    return { addresses: { auth: location.host, firestore: location.host, console: location.host } };
  });

/** Phones have a card of their own instead of their warning, and the project may have its rules. */
const warningsOf = ({ warnings = [], phones }, rules) =>
  warnings.filter(({ code }) =>
    code === "LAN" ? !phones : !/_RULES$/.test(code) || (rules.source ?? "none") === "none"
  ).map((one) => h("p.notice.warn", {}, one.message ?? one));

const addressRow = ([name, value]) =>
  h(
    "div",
    {},
    h("dt", {}, name),
    h(
      "dd",
      {},
      h("code", {}, asHost(value)),
      copyButton("Copy", asHost(value), {
        class: "slim quiet",
        "aria-label": `Copy the address of ${name}`,
      }),
    ),
  );

const card = (id, title, ...children) =>
  h("section.card", { "aria-labelledby": id }, h("h2", { id }, title), children);

const loadedCard = (about) =>
  card(
    "loaded",
    "Loaded",
    facts([
      ["Version", about.version],
      ["Default project", about.defaultProject],
      ["Profile", about.profile],
      ["Mode", about.asGoogle && "as Google"],
      ...rowsOf(about.loaded).map(([name, value]) => [name, h("code", {}, String(value))]),
    ]),
    !about.loaded && hint("This version of Hearth does not say what it has loaded."),
  );

function sdksOf({ addresses, asGoogle, loaded }, project) {
  const address = (name) => asHost(addresses?.[name]?.url ?? addresses?.[name] ?? location.host);
  return sdkSnippets({
    auth: address("auth"),
    firestore: address("firestore"),
    project,
    console: location.origin,
    unsigned: addresses?.unsignedAuth,
    google: asGoogle && { folder: loaded?.trustDirectory },
  });
}

const connectCard = (about, project) => {
  const choose = (name) => localStorage.setItem(kept, name);
  const all = sdksOf(about, project);
  return card(
    "connect",
    "Connect an app",
    snippets("SDK", all, localStorage.getItem(kept), choose),
  );
};

export async function show({ root, project, signal, hear }) {
  const about = await readAbout(signal);
  const rules = await call("GET", own(project, "rules"), { signal }).catch(() => ({}));
  const tiles = h("div.tiles");
  const google = about.asGoogle && googleCard(signal);
  root.append(
    ...warningsOf(about, rules),
    tiles,
    h(
      "div.cards",
      {},
      phonesCard(about.phones),
      google?.element,
      card(
        "addresses",
        "Addresses",
        h("dl.addresses", {}, rowsOf(about.addresses).map(addressRow)),
      ),
      loadedCard(about),
    ),
    connectCard(about, project),
    hint([
      "Press ",
      h("kbd", {}, "?"),
      " for the keys of this console, ",
      h("kbd", {}, "/"),
      " to search.",
    ]),
  );
  google?.watch(hear);
  await showTiles(tiles, { project, signal, hear });
}
