// Faults that the server makes on purpose.

import { call, own } from "../core/api.js";
import {
  actions,
  button,
  dangerous,
  field,
  fill,
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

export async function show({ root, project, params, signal, hear }) {
  const path = own(project, "faults");
  let faults = [];
  let operations = [];
  const place = h("div");
  const known = h("datalist", { id: "operations" });
  const operation = input({
    type: "search",
    list: known.id,
    required: true,
    value: params.get("operation") ?? "identitytoolkit.*",
  });
  const warning = h("p.hint", { role: "status" });
  const kind = select(Object.entries(kinds).map(([key, [label]]) => [key, label]));
  const values = h("div.grid");
  const part = input({ type: "number", min: 0, max: 100, step: "any", value: 100, required: true });
  const every = input({ type: "number", min: 2 });
  const times = input({ type: "number", min: 1 });
  const seed = input({ type: "number" });
  const email = input({ type: "email" });
  const choose = () =>
    values.replaceChildren(...kinds[kind.value][1].map(
      ([label, attributes]) => field(label, input(attributes)),
    ));
  kind.addEventListener("change", choose);
  choose();

  /** What is typed, or the pattern of the names that end with it. */
  function pattern() {
    const wanted = operation.value.trim();
    const ends = (name) => name.toLowerCase().endsWith(`.${wanted.toLowerCase()}`);
    const whole = operations.find(ends);
    if (!whole || operations.some((name) => matches(wanted, name))) return wanted;
    return `*${whole.slice(-wanted.length - 1)}`;
  }

  function check() {
    const wanted = pattern();
    const found = operations.filter((name) => matches(wanted, name));
    warning.title = found.join("\n");
    warning.textContent = !operations.length || !wanted
      ? ""
      : found.length
      ? `${wanted === operation.value.trim() ? "M" : `${wanted} m`}atches ${
        plural(found.length, "operation")
      }.`
      : "Matches no operation of this server.";
  }
  operation.addEventListener("input", check);

  async function readOperations() {
    const answer = await call("GET", "/emulator/v1/operations", { signal }).catch(() => ({}));
    operations = (answer.operations ?? []).map(({ id }) => id);
    known.replaceChildren(...[...patterns, ...operations].map((value) => h("option", { value })));
    check();
  }

  async function load() {
    const answer = await call("GET", path, { signal });
    faults = answer.faults ?? [];
    removal.hidden = !faults.length;
    fill(place, () => (faults.length
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
        faults.map(
          (fault, index) => [
            h("code", {}, fault.operation),
            describe(fault.effect ?? {}),
            share(fault),
            left(fault),
            fault.hits ?? 0,
            fault.email ?? "everybody",
            button("Remove", () => put(faults.toSpliced(index, 1), "Fault removed."), {
              "aria-label": `Remove the fault of ${fault.operation}`,
            }),
          ],
        ),
      )
      : hint("No faults: all requests are answered normally.")));
  }

  /** A fault without what the server counts. */
  const written = ({ hits: _, remaining: __, ...fault }) => fault;

  const put = (wanted, words) =>
    withFaults(project, words, async () => {
      await call("PUT", path, { body: { faults: wanted, keepHits: true } });
      await load();
    });

  const removal = actions(
    dangerous(
      "Remove all",
      "All requests are answered normally again.",
      () => put([], "All faults are removed."),
    ),
  );
  const sets = await presets({
    project,
    signal,
    current: () => faults.map((fault) => written(fault)),
    changed: load,
  });
  await load();
  root.append(
    place,
    removal,
    ...sets,
    h("h2", {}, "Add a fault"),
    form(
      [
        field("Operation", operation, "A name, or a pattern such as identitytoolkit.accounts.*"),
        warning,
        known,
        field("What happens", kind),
        values,
        h(
          "details",
          {},
          h("summary", {}, "When"),
          h(
            "div.grid",
            {},
            field("Share of calls, in percent", part),
            field("Every n-th call", every, "Empty: by share"),
            field("How many times", times, "Empty: each time"),
            field("Seed", seed, "The same seed hits the same calls"),
            field("Only for e-mail", email),
          ),
        ),
      ],
      "Add",
      async () => {
        const entered = [...values.querySelectorAll("input")].map(({ value }) => value.trim());
        const fault = { operation: pattern(), effect: kinds[kind.value][2](entered) };
        if (part.value !== "100") fault.share = part.value / 100;
        for (const [name, control] of Object.entries({ times, seed, every })) {
          if (control.value) fault[name] = Number(control.value);
        }
        if (email.value) fault.email = email.value.trim();
        await withFaults(project, "Fault added.", async () => {
          await call("POST", path, { body: fault });
          await load();
        });
      },
    ),
  );
  readOperations();
  if (params.get("operation")) operation.focus();
  const soon = paced(() => load().catch(() => {}), 1000);
  hear((event, data) => {
    if (/^(faults|sync|poll)/.test(event) || (event === "request" && data.fault)) soon();
  });
}
