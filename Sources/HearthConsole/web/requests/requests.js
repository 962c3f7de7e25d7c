// What the server was asked lately.

import { call, own, text } from "../core/api.js";
import { note } from "../core/routes.js";
import {
  button, checkbox, dangerous, download, field, h, input, plural, select, settled, table, tag, tr,
} from "../core/ui.js";
import { detail } from "./detail.js";
import { callerOf, harOf, isOwn, shortOperation, shortPath } from "./entry.js";

const usual = 200;
const most = 1000;
const columns = [
  ["Operation"],
  ["Path"],
  ["Status"],
  ["Caller", "wide"],
  ["ms", "wide number"],
  ["Time", "wide"]
];

export async function show({ root, project, path: [first], params, signal, hear }) {
  /** The entries by id, oldest first, and the rows of those that were shown. */
  const entries = new Map();
  const rows = new Map();
  let shown = usual;
  let opened = first;
  const filter = input({ type: "search", placeholder: "signUp 400", value: params.get("q") ??
      "" });
  const method = select([["", "Any method"], ["GET"], ["POST"], ["PATCH"], ["PUT"], ["DELETE"]], params.get("method") ?? "");
  const errors = checkbox(params.get("failed"));
  const faulty = checkbox(params.get("fault"));
  const control = checkbox(params.get("all"));
  const count = h("p.hint", { role: "status" });
  const frame = table("Requests", columns, []);
  frame.classList.add("log");
  const body = frame.querySelector("tbody");
  const more = button("Show all", () => { shown = most;
    apply(); });

  function matches(entry) {
    if (errors.checked && entry.status < 400) return false;
    if (faulty.checked && !entry.fault) return false;
    if (method.value && entry.method !== method.value) return false;
    if (!control.checked && isOwn(entry)) return false;
    const words = [entry.method, entry.path, entry.resource, entry.operation, entry.status, entry
      .error,
      entry.reason, entry.fault, entry.index && "index missing", entry.caller, entry.uid
    ].join(" ").toLowerCase();
    return filter.value.toLowerCase().split(/\s+/).every((word) => words.includes(word));
  }

  const state = () => ({
    q: filter.value.trim(),
    method: method.value,
    failed: errors.checked ? 1 : "",
    fault: faulty.checked ? 1 : "",
    all: control.checked ? 1 : ""
  });
  const matching = () => [...entries.values()].reverse().filter((entry) => matches(entry) ||
    String(entry.id) === opened);

  function apply() {
    const found = matching();
    const focused = document.activeElement;
    body.replaceChildren(...found.slice(0, shown).flatMap((entry) => rowsOf(entry)));
    if (body.contains(focused)) focused.focus({ preventScroll: true });
    more.hidden = found.length <= shown;
    count.textContent = !entries.size ? "No requests yet." : `${found.length === entries.size ? "" :
      `${found.length} of the last `}${plural(entries.size, "request")}, newest first`;
  }
  const soon = settled(apply, 50);

  function toggle(entry) {
    opened = opened === String(entry.id) ? undefined : String(entry.id);
    note("requests", opened ? [opened] : [], state());
    apply();
  }

  /** The row of an entry, and that of its details while it is open. */
  function rowsOf(entry) {
    const known = rows.get(entry.id) ?? rowOf(entry);
    rows.set(entry.id, known);
    const isOpen = String(entry.id) === opened;
    known.button.ariaExpanded = String(isOpen);
    if (!isOpen) known.details = null;
    else known.details ??= h("tr", {}, h("td.whole", { colspan: columns.length }, detail(project,
      entry)));
    return known.details ? [known.row, known.details] : [known.row];
  }

  function rowOf(entry) {
    const isGood = entry.status < 400;
    const name = h("button.link", {
      type: "button",
      "data-row": "",
      title: entry.operation,
      onclick: () => toggle(entry)
    }, shortOperation(entry.operation));
    return {
      button: name,
      details: null,
      row: tr(columns, [name,
        h("div.cut.mono", { title: entry.path }, h("small.inline", {}, entry.method, " "),
          shortPath(entry)),
        [tag(entry.error && !isGood ?
            `${entry.status} ${String(entry.error).split(/[ :]/)[0]}` : entry.status, isGood ?
            "good" : "bad"),
          entry.fault && [" ", tag("fault", "warn")],
          entry.index && isGood && [" ", tag("index missing", "warn")], entry.replayOf && [" ", tag("replay")]
        ],
        h("div.cut", { title: callerOf(entry) }, callerOf(entry)),
        String(entry.milliseconds), h("span.nowrap", {}, new Date(entry.time)
          .toLocaleTimeString())
      ])
    };
  }

  function add(entry) {
    if (entries.has(entry.id)) return;
    entries.set(entry.id, entry);
    if (entries.size <= most) return;
    const [oldest] = entries.keys();
    entries.delete(oldest);
    rows.delete(oldest);
  }

  async function har() {
    const whole = await text("GET", own(project, "requests:har"), { signal }).catch(() => null);
    const found = matching();
    // The server's archive knows more of each request; the filter is that of this page.
    download(`${project}.har`, whole && found.length === entries.size ? whole : JSON.stringify(
      harOf(found), null, 1));
  }

  async function load() {
    const { requests = [] } = await call("GET", own(project,
    `requests?all=${control.checked}`), { signal });
    requests.forEach(add);
    apply();
  }

  function open([id]) {
    opened = id;
    if (matching().findIndex((entry) => String(entry.id) === id) >= shown) shown = most;
    apply();
    rows.get(Number(id))?.row.scrollIntoView({ block: "center" });
  }

  await load();
  const search = field("Filter", filter);
  search.classList.add("grows");
  root.append(h("search.bar", {}, search, field("Method", method), field("Only errors", errors),
    field("Only faults", faulty), field("Hearth's own calls too", control),
    button("Export HAR", har),
    dangerous("Clear", "All recorded requests of this project will be deleted.",
async () => {
      await call("DELETE", own(project, "requests"));
      entries.clear();
      rows.clear();
      apply();
    })), count, frame, more);
  control.addEventListener("input", () => load().catch(() => {}));
  for (const element of [filter, method, errors, faulty, control]) {
    element.addEventListener("input", () => {
      opened = undefined;
      apply();
      note("requests", [], state());
    });
  }
  if (first) open([first]);
  hear((event, data) => {
    if (event === "request" && data.id && data.path) {
      add(data);
      soon();
    } else if (/^(request|poll|sync)$/.test(event)) load().catch(() => {});
  });
  return open;
}
