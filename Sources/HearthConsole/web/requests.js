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
