// What this server is: its addresses, what it has loaded, and what each project holds.

import { call, now, own, readClock } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import {
  copyButton,
  facts,
  h,
  hint,
  icon,
  paced,
  plural,
  problem,
  snippets,
  span,
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
/** How many requests the server keeps of a project. */
const mostRequests = 1000;

export async function show({ root, project, signal, hear }) {
  const about = await call("GET", "/emulator/v1/overview", { signal }).catch((error) => {
    if (!error.unavailable && error.status !== 404) throw error;
    // An older server: each of its ports answers to all.
    return { addresses: { auth: location.host, firestore: location.host, console: location.host } };
  });
  const address = (name) =>
    asHost(about.addresses?.[name]?.url ?? about.addresses?.[name] ?? location.host);
  const rules = await call("GET", own(project, "rules"), { signal }).catch(() => ({}));
  // Phones have a card of their own instead of this warning, and the project may have its rules.
  const warnings = (about.warnings ?? []).filter(({ code }) =>
    code === "LAN" ? !about.phones : !/_RULES$/.test(code) || (rules.source ?? "none") === "none"
  )
    .map((one) => h("p.notice.warn", {}, one.message ?? one));
  const counts = h("div.tiles");
  const google = about.asGoogle && googleCard(signal);
  root.append(
    ...warnings,
    counts,
    h(
      "div.cards",
      {},
      phonesCard(about.phones),
      google?.element,
      h(
        "section.card",
        { "aria-labelledby": "addresses" },
        h("h2", { id: "addresses" }, "Addresses"),
        h(
          "dl.addresses",
          {},
          rowsOf(about.addresses).map(([name, value]) =>
            h(
              "div",
              {},
              h("dt", {}, name),
              h(
                "dd",
                {},
                h("code", {}, asHost(value)),
                copyButton(
                  "Copy",
                  asHost(value),
                  { class: "slim quiet", "aria-label": `Copy the address of ${name}` },
                ),
              ),
            )
          ),
        ),
      ),
      h(
        "section.card",
        { "aria-labelledby": "loaded" },
        h("h2", { id: "loaded" }, "Loaded"),
        facts([
          ["Version", about.version],
          ["Default project", about.defaultProject],
          ["Profile", about.profile],
          ["Mode", about.asGoogle && "as Google"],
          ...rowsOf(about.loaded).map(([name, value]) => [name, h("code", {}, String(value))]),
        ]),
        !about.loaded && hint("This version of Hearth does not say what it has loaded."),
      ),
    ),
    h(
      "section.card",
      { "aria-labelledby": "connect" },
      h("h2", { id: "connect" }, "Connect an app"),
      snippets(
        "SDK",
        sdk(),
        localStorage.getItem(kept),
        (name) => localStorage.setItem(kept, name),
      ),
    ),
    hint([
      "Press ",
      h("kbd", {}, "?"),
      " for the keys of this console, ",
      h("kbd", {}, "/"),
      " to search.",
    ]),
  );

  function sdk() {
    return sdkSnippets({
      auth: address("auth"),
      firestore: address("firestore"),
      project,
      console: location.origin,
      unsigned: about.addresses?.unsignedAuth,
      google: about.asGoogle && { folder: about.loaded?.trustDirectory },
    });
  }

  const tile = (view, number, words, params) =>
    h(
      "a.tile",
      { href: linkTo(view, [], params) },
      h("span", {}, icon(view), words),
      // A number that is not known yet takes its place.
      h("strong", {}, String(number ?? "–")),
    );

  /** What an older server lacks counts as nothing; any other refusal is shown. */
  const known = (answer, otherwise = {}) =>
    answer.catch((error) => {
      if (!error.unavailable) throw error;
      return otherwise;
    });

  const get = (rest) => known(call("GET", own(project, rest), { signal }));
  /** What is known of the tiles, by their names. */
  const state = { requests: 0, failed: 0, clock: null };
  const reads = {
    users: async () => {
      const { recordsCount } = await get("accounts?tenantId=*&limit=1");
      state.users = Number(recordsCount ?? 0);
    },
    messages: async () => {
      state.messages = (await get("messages?limit=1&summary=true")).total ?? 0;
    },
    // Once: events tell of each request after that.
    requests: async () => {
      const { requests = [] } = await get("requests");
      state.requests = requests.length;
      state.failed = requests.filter(({ status, client }) => status >= 400 && !client).length;
    },
    documents: async () => {
      const { databases = [] } = await get("databases");
      const counts = databases.map(({ documents }) => documents);
      state.documents = counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
    },
    faults: async () => {
      state.faults = ((await get("faults")).faults ?? []).length;
    },
    clock: async () => {
      state.clock = await known(readClock(project, signal), null);
    },
  };

  function drawTiles() {
    const { users, messages, documents, requests, failed, faults, clock } = state;
    const off = clock ? now() - Date.now() : 0;
    counts.replaceChildren(
      tile("users", users, users === 1 ? "user" : "users"),
      tile("mailbox", messages, messages === 1 ? "message" : "messages"),
      tile("firestore", documents, documents === 1 ? "document" : "documents"),
      tile("requests", failed, `failed of ${plural(requests, "request")}`, {
        failed: failed ? 1 : "",
      }),
      tile("faults", faults, faults === 1 ? "fault" : "faults"),
      tile(
        "clock",
        clock?.frozen
          ? "Frozen"
          : clock && clock.offset !== "PT0S"
          ? `${off < 0 ? "−" : "+"}${span(Math.abs(off))}`
          : "Real time",
        "clock",
      ),
    );
  }

  const readOf = (...names) => async () => {
    await Promise.all(names.map((name) => reads[name]()));
    drawTiles();
  };
  const quietly = (work) => () => work().catch(() => {});
  const readAll = readOf(...Object.keys(reads));
  const soon = {
    user: paced(quietly(readOf("users")), 1000),
    message: paced(quietly(readOf("messages")), 1000),
    faults: paced(quietly(readOf("faults")), 1000),
    clock: paced(quietly(readOf("clock")), 1000),
    all: paced(quietly(readAll), 1000),
    draw: paced(drawTiles, 200),
  };
  hear((event, data) => {
    if (event === "request") {
      state.requests = Math.min(state.requests + 1, mostRequests);
      if (data.status >= 400) state.failed = Math.min(state.failed + 1, mostRequests);
      soon.draw();
    } else if (/^(sync|poll)$/.test(event)) soon.all();
    else {soon[
        /^[a-z]+?(?=s?\.)/.exec(event)?.[0] === "fault"
          ? "faults"
          : /^(user|message|clock)/.exec(event)?.[0]
      ]?.();}
  });
  google?.watch(hear);
  drawTiles();
  await readAll().catch((error) => counts.replaceChildren(problem(error)));
}
