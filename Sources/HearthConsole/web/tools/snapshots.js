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

const name = () => input({ required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,99}" });

/** What deletes those at once that are still there for their *Undo*, by address. */
const leaving = new Map();

export async function snapshots({ root, project, signal, hear }) {
  const place = h("div");
  const path = (rest = "") => own(project, `snapshots${rest}`);

  function restore(snapshot) {
    const clock = checkbox(false);
    dialog(
      `Restore ${snapshot}?`,
      [
        hint("What the project holds now is kept in a snapshot of its own."),
        field("Keep the present clock", clock),
      ],
      "Restore",
      async () => {
        const undo = await undoable(
          project,
          "restore",
          () =>
            call("POST", path(`/${encodeURIComponent(snapshot)}:restore`), {
              body: clock.checked ? { keepClock: true } : {},
            }),
        );
        say("Restored.", undo);
      },
      "danger",
    );
  }

  function fork(snapshot) {
    const to = name();
    dialog(`Make a project of ${snapshot}`, field("New project", to), "Fork", async () => {
      await call("POST", path(`/${encodeURIComponent(snapshot)}:fork`), { body: { to: to.value } });
      say(`Project ${to.value} exists.`);
    });
  }

  // One that was made again has another time.
  const addressOf = ({ name, createdAt }) =>
    path(`/${encodeURIComponent(name)}?${new URLSearchParams({ createdAt })}`);

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
    const answer = await call("GET", path(), { signal });
    const found = (answer.snapshots ?? []).filter((one) => !leaving.has(addressOf(one)));
    place.replaceChildren(
      found.length
        ? table(
          "Snapshots",
          [["Snapshot"], ["Made", "wide"], ["Size", "wide number"], buttonsHead()],
          found.map((one) => [
            h("div.cut", { title: one.name }, one.name),
            time(one.createdAt),
            bytes(one.bytes),
            h(
              "span.pair",
              {},
              button("Restore", () => restore(one.name), {
                class: "slim",
                "aria-label": `Restore ${one.name}`,
              }),
              button("Fork", () => fork(one.name), {
                class: "slim",
                "aria-label": `Fork ${one.name}`,
              }),
              dangerous(
                "Delete",
                `Snapshot ${one.name} will be deleted in 15 s, or when you leave the page.`,
                () => remove(one),
                { class: "danger slim", "aria-label": `Delete ${one.name}` },
              ),
            ),
          ]),
        )
        : hint("No snapshots."),
    );
  }
  const fresh = name();
  const replace = checkbox(false);
  root.append(
    place,
    h("h2", {}, "Save a snapshot"),
    form(
      [field("Name", fresh), field("Replace one of this name", replace)],
      "Save",
      async () => {
        // A name is free when the list does not show it.
        await Promise.all([...leaving.values()].map((go) => go()));
        await call("POST", path(), {
          body: { name: fresh.value, ...(replace.checked && { replace: true }) },
        });
        fresh.value = "";
        await load();
        say("Snapshot saved.");
      },
    ),
    hint("A snapshot holds the project's users, documents, mails, settings and clock."),
  );
  const soon = paced(() => load().catch(() => {}), 300);
  hear((event) => {
    if (/^(snapshots|sync|poll)/.test(event)) soon();
  });
  await load();
}
