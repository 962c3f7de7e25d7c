// Faults that the server makes on purpose.

import { call, own } from "../core/api.js";
import {
  actions, button, dangerous, field, fill, form, h, hint, input, say, select, table,
} from "../core/ui.js";

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
