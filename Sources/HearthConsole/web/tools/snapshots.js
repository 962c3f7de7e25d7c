// Snapshots: what a project holds, saved and brought back.

import { call, own } from "../core/api.js";
import { later, undoable } from "../core/undo.js";
import {
  button,
  buttonsHead,
  bytes,
  checkbox,
  dangerous,
  dialog,
  fail,
  field,
  form,
  h,
  hint,
  input,
  paced,
  say,
  table,
  time,
} from "../core/ui.js";

const nameField = () => input({ required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,99}" });

/** What deletes those at once that are still there for their *Undo*, by address. */
const leaving = new Map();

const pathOf = (project, name, rest = "") =>
  own(project, `snapshots/${encodeURIComponent(name)}${rest}`);

function restore(project, name) {
  const clock = checkbox(false);
  const fields = [
    hint("What the project holds now is kept in a snapshot of its own."),
    field("Keep the present clock", clock),
  ];
  dialog(`Restore ${name}?`, fields, "Restore", async () => {
    const body = clock.checked ? { keepClock: true } : {};
    const work = () => call("POST", pathOf(project, name, ":restore"), { body });
    say("Restored.", await undoable(project, "restore", work));
  }, "danger");
}

function fork(project, name) {
  const to = nameField();
  dialog(`Make a project of ${name}`, field("New project", to), "Fork", async () => {
    await call("POST", pathOf(project, name, ":fork"), { body: { to: to.value } });
    say(`Project ${to.value} exists.`);
  });
}

const buttonsOf = (project, { name }, remove) =>
  h(
    "span.pair",
    {},
    button("Restore", () => restore(project, name), {
      class: "slim",
      "aria-label": `Restore ${name}`,
    }),
    button("Fork", () => fork(project, name), { class: "slim", "aria-label": `Fork ${name}` }),
    dangerous(
      "Delete",
      `Snapshot ${name} will be deleted in 15 s, or when you leave the page.`,
      remove,
      { class: "danger slim", "aria-label": `Delete ${name}` },
    ),
  );

const listOf = (project, found, remove) =>
  found.length
    ? table(
      "Snapshots",
      [["Snapshot"], ["Made", "wide"], ["Size", "wide number"], buttonsHead()],
      found.map((one) => [
        h("div.cut", { title: one.name }, one.name),
        time(one.createdAt),
        bytes(one.bytes),
        buttonsOf(project, one, () => remove(one)),
      ]),
    )
    : hint("No snapshots.");

/** The form for another snapshot. */
function saveForm(project, load) {
  const fresh = nameField();
  const replace = checkbox(false);
  const fields = [field("Name", fresh), field("Replace one of this name", replace)];
  return form(fields, "Save", async () => {
    // A name is free when the list does not show it.
    await Promise.all([...leaving.values()].map((go) => go()));
    const body = { name: fresh.value, ...(replace.checked && { replace: true }) };
    await call("POST", own(project, "snapshots"), { body });
    fresh.value = "";
    await load();
    say("Snapshot saved.");
  });
}

export async function snapshots({ root, project, signal, hear }) {
  const place = h("div");
  // One that was made again has another time.
  const addressOf = ({ name, createdAt }) =>
    pathOf(project, name, `?${new URLSearchParams({ createdAt })}`);

  async function remove(one) {
    const address = addressOf(one);
    const back = () => {
      leaving.delete(address);
      return soon();
    };
    const work = async () => {
      await call("DELETE", address).catch((error) => error.status === 409 || fail(error));
      await back();
    };
    leaving.set(address, later(`Snapshot ${one.name} is deleted in 15 s.`, work, back));
    await load();
  }

  async function load() {
    const answer = await call("GET", own(project, "snapshots"), { signal });
    const found = (answer.snapshots ?? []).filter((one) => !leaving.has(addressOf(one)));
    place.replaceChildren(listOf(project, found, remove));
  }
  root.append(
    place,
    h("h2", {}, "Save a snapshot"),
    saveForm(project, load),
    hint("A snapshot holds the project's users, documents, mails, settings and clock."),
  );
  const soon = paced(() => load().catch(() => {}), 300);
  hear((event) => {
    if (/^(snapshots|sync|poll)/.test(event)) soon();
  });
  await load();
}
