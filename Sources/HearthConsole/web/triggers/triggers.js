// Functions and webhooks: what is registered, and each call with its payload and answer.

import { call, own } from "../core/api.js";
import { emptyState } from "../core/empty.js";
import { live, paced } from "../core/live.js";
import { part, render } from "../core/render.js";
import { linkTo, note } from "../core/routes.js";
import {
  actions,
  button,
  buttonsHead,
  copyButton,
  dangerous,
  dialog,
  facts,
  field,
  fill,
  h,
  heading,
  hint,
  input,
  pretty,
  problem,
  say,
  table,
  tag,
  time,
  tr,
} from "../core/ui.js";

async function read(project, signal) {
  const get = (rest) => call("GET", own(project, rest), { signal });
  const [{ webhooks = [] }, { triggers = [] }, ...logs] = await Promise.all([
    get("webhooks"),
    get("triggers").catch(() => ({})),
    get("requests?all=true&operation=webhooks.*"),
    get("requests?all=true&operation=functions.*"),
  ]);
  const deliveries = logs.flatMap(({ requests = [] }) => requests)
    .sort((one, other) => other.id - one.id);
  return { webhooks, triggers, deliveries };
}

/** Asks for a webhook, and adds it to those that are there. */
function add(project, webhooks, done) {
  const url = input({ type: "url", required: true, placeholder: "http://127.0.0.1:3000/hook" });
  const events = input({ placeholder: "google.cloud.firestore.document.v1.*" });
  const path = input({ placeholder: "users/{uid}" });
  dialog(
    "New webhook",
    [
      field("Address", url),
      field("Events", events, "With commas between them; empty: all"),
      field("Documents", path, "A pattern; empty: all"),
    ],
    "Add",
    async () => {
      const names = events.value.split(",").map((name) => name.trim()).filter(Boolean);
      const fresh = {
        url: url.value,
        ...(names.length && { events: names }),
        ...(path.value && { path: path.value }),
      };
      await put(project, [...webhooks, fresh]);
      await done();
      say("Webhook added.", async () => {
        await put(project, webhooks);
        await done();
      });
    },
  );
}

const put = (project, webhooks) => call("PUT", own(project, "webhooks"), { body: { webhooks } });

const webhookTable = (webhooks, { project, done }) =>
  table(
    "Webhooks",
    [["Address"], ["Events"], ["Documents", "wide"], buttonsHead()],
    webhooks.map((one, index) => [
      h("code", {}, one.url),
      (one.events ?? ["all"]).join(", "),
      one.path ?? "all",
      h(
        "span.pair",
        {},
        copyButton("Copy secret", one.secret, { class: "slim" }),
        dangerous("Remove", `${one.url} is called no more.`, async () => {
          await put(project, webhooks.toSpliced(index, 1));
          await done();
          say("Webhook removed.", async () => {
            await put(project, webhooks);
            await done();
          });
        }, { class: "danger slim", "aria-label": `Remove ${one.url}` }),
      ),
    ]),
  );

const triggerTable = (triggers) =>
  table(
    "Functions",
    [["Function"], ["Event"], ["Documents"], ["Generation", "wide"]],
    triggers.map(({ key, eventType, document, database, generation }) => [
      h("code", {}, key),
      eventType,
      [document, database === "(default)" ? "" : h("small", {}, database)],
      String(generation ?? ""),
    ]),
  );

const columns = [["Called"], ["About"], ["Answer"], ["ms", "wide number"], ["Time"]];

const text = (value) => (typeof value === "string" ? value : pretty(value));

/** Payload and answer of a call, and a way to make it again. */
function detail(project, { id }, done) {
  const place = h("div");
  fill(place, async () => {
    const whole = await call("GET", own(project, `requests/${id}`));
    return [
      facts([
        ["Address", h("code", {}, whole.path)],
        ["Problem", whole.reason],
        ["Again", whole.replayOf && h("a", { href: linkTo("triggers", [whole.replayOf]) }, "call")],
      ]),
      h(
        "div.halves",
        {},
        h("div", {}, h("h2", {}, "Payload"), h("pre", {}, text(whole.body ?? "Not kept."))),
        h("div", {}, h("h2", {}, "Answer"), h("pre", {}, text(whole.response ?? "Empty."))),
      ),
      actions(button("Send again", async () => {
        const answer = await call("POST", own(project, `requests/${id}:replay`), { body: {} });
        await done();
        say(`Sent again; the answer is ${answer.status}.`);
      })),
    ];
  });
  return place;
}

function rowsOf(entry, { project, opened, toggle, done }) {
  const isOpen = String(entry.id) === opened;
  const about = entry.resource?.split("/documents/").at(-1) ?? "";
  const row = part(entry.id, isOpen, () =>
    tr(columns, [
      h("button.link", {
        type: "button",
        "data-row": "",
        title: entry.path,
        "aria-expanded": String(isOpen),
        onclick: () => toggle(entry),
      }, entry.path.replace(/^https?:\/\/[^/]+/, "") || "/"),
      h("div.cut", { title: about }, about),
      [
        tag(entry.status, entry.status < 400 ? "good" : "bad"),
        entry.replayOf && [" ", tag("again")],
      ],
      String(entry.milliseconds),
      time(entry.time),
    ]));
  return isOpen
    ? [
      row,
      part(
        `detail ${entry.id}`,
        null,
        () => h("tr", {}, h("td.whole", { colspan: columns.length }, detail(project, entry, done))),
      ),
    ]
    : [row];
}

const nothing = (project) =>
  emptyState({
    mark: "triggers",
    title: "No functions and no webhooks",
    words: [
      "A webhook is called for changes of documents and users, and for mails. Start Hearth with ",
      h("code.nowrap", {}, "--functions-emulator host:port"),
      " to have functions called.",
    ],
    lines: ({ auth }) => [[
      "curl",
      `curl -X PUT 'http://${auth}/emulator/v1/projects/${project}/webhooks' \\
  --json '{"webhooks": [{"url": "http://127.0.0.1:3000/hook"}]}'`,
    ]],
  });

const page = ({ value, error, ...view }) => [
  actions(button("New webhook", view.add, { class: "primary" })),
  error && problem(error),
  value && !value.webhooks.length && !value.triggers.length && !value.deliveries.length &&
  part("empty", view.project, () => nothing(view.project)),
  value?.webhooks.length > 0 && [heading("Webhooks"), webhookTable(value.webhooks, view)],
  value?.triggers.length > 0 && [heading("Functions"), triggerTable(value.triggers)],
  value && heading("Calls"),
  value &&
  (value.deliveries.length
    ? table("Calls", columns, value.deliveries.flatMap((one) => rowsOf(one, view)), {
      class: "log",
    })
    : hint("Nothing was called yet.")),
];

export async function show({ root, project, path: [first], signal, hear }) {
  const state = live(() => read(project, signal), { signal });
  let opened = first;
  const done = () => state.refresh();

  function draw() {
    render(
      root,
      page({
        ...state.state,
        project,
        opened,
        done,
        add: () => add(project, state.state.value?.webhooks ?? [], done),
        toggle: ({ id }) => {
          opened = opened === String(id) ? undefined : String(id);
          note("triggers", opened ? [opened] : []);
          draw();
        },
      }),
    );
  }
  hear((event, entry) => {
    if (event === "request" && /^(functions|webhooks)\./.test(entry.operation)) state.soon();
  });
  state.follow(hear, /^triggers\b/);
  await state.ask();
  state.subscribe(paced(draw, 50));
  draw();
  return ([id]) => {
    opened = id;
    draw();
  };
}
