// Faults that the server makes on purpose.

import { call, own } from "../core/api.js";
import {
  actions,
  button,
  dangerous,
  field,
  form,
  h,
  hint,
  input,
  paced,
  plural,
  select,
  table,
  tag,
} from "../core/ui.js";
import { withFaults } from "../core/undo.js";
import { presets } from "./presets.js";

const patterns = ["*", "identitytoolkit.*", "firestore.*", "securetoken.*"];

const wait = { required: true, pattern: "\\d+(ms|s|m)" };

/** What can happen: its name, its fields, and the effect on the wire. */
const kinds = {
  latency: [
    "A fixed delay",
    [["Delay", { ...wait, value: "200ms" }]],
    ([latency]) => ({ latency }),
  ],
  range: ["A random delay", [
    ["From", { ...wait, value: "100ms" }],
    ["To", { ...wait, value: "2s" }],
  ], ([min, max]) => ({ latency: { min, max } })],
  error: [
    "An error",
    [["Error", { required: true, value: "TOO_MANY_ATTEMPTS_TRY_LATER" }]],
    ([error]) => ({ error }),
  ],
  status: ["An HTTP status", [
    ["Status", { type: "number", min: 400, max: 599, value: 503, required: true }],
  ], ([status]) => ({ status: Number(status) })],
  before: ["The connection drops before the operation", [], () => ({ drop: "before" })],
  after: ["The connection drops after the operation", [], () => ({ drop: "after" })],
  slowBody: [
    "A slow answer",
    [["Speed", { required: true, value: "1KB/s" }]],
    ([slowBody]) => ({ slowBody }),
  ],
};

export function describe({ latency, error, status, drop, slowBody, ...other }) {
  if (latency) return latency.min ? `${latency.min} to ${latency.max} late` : `${latency} late`;
  return error ??
    (status
      ? `HTTP ${status}`
      : drop
      ? `the ${drop === "before" ? "call" : "answer"} is lost`
      : slowBody
      ? `an answer at ${slowBody}`
      : JSON.stringify(other));
}

const endings = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

const share = (
  { share: part = 1, every },
) => (every ? `every ${every}${endings[ordinals.select(every)]} call` : `${part * 100} %`);

const left = (
  { times, remaining },
) => (times === undefined
  ? "no end"
  : remaining === 0
  ? tag("spent", "warn")
  : `${remaining ?? times} of ${times}`);

/** Whether a pattern such as `*.signUp` matches an operation. */
const matches = (pattern, operation) =>
  new RegExp(`^${pattern.split("*").map((part) => part.replace(/[.()]/g, "\\$&")).join(".*")}$`)
    .test(operation);

/** The faults as they are; `remove(index)` takes one away. */
const listOf = (faults, remove) =>
  faults.length
    ? table(
      "Faults",
      [
        ["Operation"],
        ["Effect"],
        ["Share", "wide"],
        ["Left", "wide"],
        ["Hits"],
        ["Only for", "wide"],
        [h("span.unseen", {}, "Remove")],
      ],
      faults.map((fault, index) => [
        h("code", {}, fault.operation),
        describe(fault.effect ?? {}),
        share(fault),
        left(fault),
        fault.hits ?? 0,
        fault.email ?? "everybody",
        button("Remove", () => remove(index), {
          "aria-label": `Remove the fault of ${fault.operation}`,
        }),
      ]),
    )
    : hint("No faults: all requests are answered normally.");

/** The field for the operations that a fault strikes, with those that the server has. */
class OperationField {
  known = h("datalist", { id: "operations" });
  warning = h("p.hint", { role: "status" });
  operations = [];

  constructor(value) {
    this.control = input({
      type: "search",
      list: this.known.id,
      required: true,
      value,
      oninput: () => this.check(),
    });
  }

  /** What is typed, or the pattern of the names that end with it. */
  get pattern() {
    const wanted = this.control.value.trim();
    const ends = (name) => name.toLowerCase().endsWith(`.${wanted.toLowerCase()}`);
    const whole = this.operations.find(ends);
    if (!whole || this.operations.some((name) => matches(wanted, name))) return wanted;
    return `*${whole.slice(-wanted.length - 1)}`;
  }

  check() {
    const wanted = this.pattern;
    const found = this.operations.filter((name) => matches(wanted, name));
    const beginning = wanted === this.control.value.trim() ? "M" : `${wanted} m`;
    this.warning.title = found.join("\n");
    this.warning.textContent = !this.operations.length || !wanted
      ? ""
      : found.length
      ? `${beginning}atches ${plural(found.length, "operation")}.`
      : "Matches no operation of this server.";
  }

  async read(signal) {
    const answer = await call("GET", "/emulator/v1/operations", { signal }).catch(() => ({}));
    this.operations = (answer.operations ?? []).map(({ id }) => id);
    const names = [...patterns, ...this.operations];
    this.known.replaceChildren(...names.map((value) => h("option", { value })));
    this.check();
  }

  fields() {
    const words = "A name, or a pattern such as identitytoolkit.accounts.*";
    return [field("Operation", this.control, words), this.warning, this.known];
  }
}

/** What happens: fields, and what they say as an effect. */
function effectFields() {
  const kind = select(Object.entries(kinds).map(([key, [label]]) => [key, label]));
  const values = h("div.grid");
  const choose = () =>
    values.replaceChildren(...kinds[kind.value][1].map(
      ([label, attributes]) => field(label, input(attributes)),
    ));
  kind.addEventListener("change", choose);
  choose();
  return {
    fields: [field("What happens", kind), values],
    read() {
      const entered = [...values.querySelectorAll("input")].map(({ value }) => value.trim());
      return { effect: kinds[kind.value][2](entered) };
    },
  };
}

/** When it happens: fields, and what they say. */
function whenFields() {
  const share = input({
    type: "number",
    min: 0,
    max: 100,
    step: "any",
    value: 100,
    required: true,
  });
  const every = input({ type: "number", min: 2 });
  const times = input({ type: "number", min: 1 });
  const seed = input({ type: "number" });
  const email = input({ type: "email" });
  const fields = h(
    "details",
    {},
    h("summary", {}, "When"),
    h(
      "div.grid",
      {},
      field("Share of calls, in percent", share),
      field("Every n-th call", every, "Empty: by share"),
      field("Seed", seed, "The same seed hits the same calls"),
      field("Only for e-mail", email),
    ),
  );
  return {
    fields: [field("How many times", times, "Empty: each time"), fields],
    read() {
      const numbers = Object.entries({ times, seed, every }).filter(([, { value }]) => value);
      return {
        ...(share.value !== "100" && { share: share.value / 100 }),
        ...Object.fromEntries(numbers.map(([name, { value }]) => [name, Number(value)])),
        ...(email.value && { email: email.value.trim() }),
      };
    },
  };
}

/** The form for a fault more; `add` gets it. */
function addForm(operation, add) {
  const effect = effectFields();
  const when = whenFields();
  return form(
    [operation.fields(), effect.fields, when.fields],
    "Add",
    () => add({ operation: operation.pattern, ...effect.read(), ...when.read() }),
  );
}

/** A fault without what the server counts. */
const written = ({ hits: _, remaining: __, ...fault }) => fault;

class Faults {
  faults = [];
  place = h("div");

  constructor({ project, signal }) {
    Object.assign(this, { project, signal, path: own(project, "faults") });
    const removeAll = () => this.put([], "All faults are removed.");
    this.removal = actions(
      dangerous("Remove all", "All requests are answered normally again.", removeAll),
    );
  }

  load = async () => {
    const answer = await call("GET", this.path, { signal: this.signal });
    const faults = this.faults = answer.faults ?? [];
    this.removal.hidden = !faults.length;
    const remove = (index) => this.put(faults.toSpliced(index, 1), "Fault removed.");
    this.place.replaceChildren(listOf(faults, remove));
  };

  put = (faults, words) =>
    withFaults(this.project, words, async () => {
      await call("PUT", this.path, { body: { faults, keepHits: true } });
      await this.load();
    });

  add = (body) =>
    withFaults(this.project, "Fault added.", async () => {
      await call("POST", this.path, { body });
      await this.load();
    });
}

export async function show({ root, project, params, signal, hear }) {
  const view = new Faults({ project, signal });
  const operation = new OperationField(params.get("operation") ?? "identitytoolkit.*");
  const sets = await presets({
    project,
    signal,
    current: () => view.faults.map(written),
    changed: view.load,
  });
  await view.load();
  const adding = [h("h2", {}, "Add a fault"), addForm(operation, view.add)];
  root.append(view.place, view.removal, ...sets, ...adding);
  operation.read(signal);
  if (params.get("operation")) operation.control.focus();
  const soon = paced(() => view.load().catch(() => {}), 1000);
  hear((event, data) => {
    if (/^(faults|sync|poll)/.test(event) || (event === "request" && data.fault)) soon();
  });
}
