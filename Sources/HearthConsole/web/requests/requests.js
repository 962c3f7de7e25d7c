// What the server was asked lately.

import { call, own, text } from "../core/api.js";
import { note } from "../core/routes.js";
import {
  button, checkbox, dangerous, download, field, h, input, select, settled, table, tag, tr,
} from "../core/ui.js";
import { detail } from "./detail.js";
import { callerOf, harOf, isOwn, shortOperation, shortPath } from "./entry.js";

const most = 1000;
const columns = [["Operation"], ["Path"], ["Status"], ["Caller", "wide"], ["ms", "wide number"], ["Time", "wide"]];

export async function show({ root, project, path: [first], params, signal, hear }) {
  const rows = new Map();
  const filter = input({ type: "search", placeholder: "signUp 400", value: params.get("q") ?? "" });
  const method = select([["", "Any method"], ["GET"], ["POST"], ["PATCH"], ["PUT"], ["DELETE"]], params.get("method") ?? "");
  const errors = checkbox(params.get("failed"));
  const faulty = checkbox(params.get("fault"));
  const control = checkbox(params.get("all"));
  const count = h("p.hint", { role: "status" });
  const frame = table("Requests", columns, []);
  frame.classList.add("log");
  const body = frame.querySelector("tbody");
  let opened = first;

  function matches(entry) {
    if (errors.checked && entry.status < 400) return false;
    if (faulty.checked && !entry.fault) return false;
    if (method.value && entry.method !== method.value) return false;
    if (!control.checked && isOwn(entry)) return false;
    const words = [entry.method, entry.path, entry.resource, entry.operation, entry.status, entry.error,
      entry.reason, entry.fault, entry.caller, entry.uid].join(" ").toLowerCase();
    return filter.value.toLowerCase().split(/\s+/).every((word) => words.includes(word));
  }

  const state = () => ({ q: filter.value.trim(), method: method.value, failed: errors.checked ? 1 : "",
    fault: faulty.checked ? 1 : "", all: control.checked ? 1 : "" });
  const apply = () => {
    let visible = 0;
    for (const { entry, row, close } of rows.values()) {
      row.hidden = !matches(entry) && String(entry.id) !== opened;
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
    const open = () => {
      details = h("tr", {}, h("td.whole", { colspan: columns.length }, detail(project, entry)));
      row.after(details);
      toggle.ariaExpanded = "true";
    };
    const toggle = h("button.link", { type: "button", "aria-expanded": "false", "data-row": "", title: entry.operation,
      onclick: () => {
        if (details) close();
        else open();
        opened = details ? String(entry.id) : undefined;
        note("requests", opened ? [opened] : [], state());
      } }, shortOperation(entry.operation));
    const isGood = entry.status < 400;
    const row = tr(columns, [toggle,
      h("div.cut.mono", { title: entry.path }, h("small.inline", {}, entry.method, " "), shortPath(entry)),
      [tag(entry.error && !isGood ? `${entry.status} ${String(entry.error).split(/[ :]/)[0]}` : entry.status, isGood ? "good" : "bad"),
        entry.fault && [" ", tag("fault", "warn")], entry.replayOf && [" ", tag("replay")]],
      h("div.cut", { title: callerOf(entry) }, callerOf(entry)),
      String(entry.milliseconds), new Date(entry.time).toLocaleTimeString()]);
    row.hidden = !matches(entry);
    body.prepend(row);
    rows.set(entry.id, { entry, row, close, open });
    if (rows.size <= most) return;
    const [id, oldest] = rows.entries().next().value;
    oldest.close();
    oldest.row.remove();
    rows.delete(id);
  }

  const shown = () => [...rows.values()].filter(({ row }) => !row.hidden).map(({ entry }) => entry);

  async function har() {
    const whole = await text("GET", own(project, "requests:har"), { signal }).catch(() => null);
    const ours = harOf(shown());
    // The server's archive knows more of each request; the filter is that of this page.
    download(`${project}.har`, whole && shown().length === rows.size ? whole : JSON.stringify(ours, null, 1));
  }

  async function load() {
    const { requests = [] } = await call("GET", own(project, `requests?all=${control.checked}`), { signal });
    requests.forEach(add);
    apply();
  }

  function open([id]) {
    opened = id;
    const found = rows.get(Number(id)) ?? rows.get(id);
    apply();
    if (!found) return;
    if (!found.row.nextSibling?.querySelector("td.whole")) found.open();
    found.row.scrollIntoView({ block: "center" });
  }

  await load();
  const search = field("Filter", filter);
  search.classList.add("grows");
  root.append(h("search.bar", {}, search, field("Method", method), field("Only errors", errors),
    field("Only faults", faulty), field("Hearth's own calls too", control),
    button("Export HAR", har),
    dangerous("Clear", "All recorded requests of this project will be forgotten.", async () => {
      await call("DELETE", own(project, "requests"));
      for (const { row, close } of rows.values()) { close(); row.remove(); }
      rows.clear();
      apply();
    })), count, frame);
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
