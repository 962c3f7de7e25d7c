// Several messages at once: chosen with boxes, in a row with Shift.

import { call, own } from "../core/api.js";
import { render } from "../core/render.js";
import { button, h, plural, say } from "../core/ui.js";
import { undoable } from "../core/undo.js";

/** `shown()` answers the messages in their order, and `done` is called when they were changed. */
export function manyMessages({ project, shown, done }) {
  const chosen = new Set();
  const element = h("div");
  let last = null;

  /** Does the same with each, some at a time. */
  async function each(work) {
    const ids = [...chosen];
    while (ids.length) await Promise.all(ids.splice(0, 6).map(work));
  }
  const path = (id, verb = "") => own(project, `messages/${encodeURIComponent(id)}${verb}`);
  const mark = (verb, words) => async () => {
    const count = chosen.size;
    await each((id) => call("POST", path(id, verb), { body: {} }));
    none();
    await done();
    say(`${plural(count, "message")} ${words}.`);
  };

  async function remove() {
    const count = chosen.size;
    const undo = await undoable(
      project,
      "delete-messages",
      () => each((id) => call("DELETE", path(id))),
    );
    none();
    await done();
    say(`${plural(count, "message")} deleted.`, undo);
  }

  function none() {
    chosen.clear();
    last = null;
    draw();
  }

  function draw() {
    for (const box of document.querySelectorAll(".mails [data-choose]")) {
      box.checked = chosen.has(box.dataset.choose);
    }
    document.querySelector(".mails")?.classList.toggle("choosing", chosen.size > 0);
    render(
      element,
      chosen.size > 0 && h(
        "div.bulk",
        { role: "group", "aria-label": "Chosen messages" },
        h("strong", {}, `${chosen.size} chosen`),
        button("Choose all", () => {
          for (const { id } of shown()) chosen.add(id);
          draw();
        }, { class: "slim" }),
        button("Mark read", mark(":markRead", "marked as read"), { class: "slim" }),
        button("Mark unread", mark(":markUnread", "marked as unread"), { class: "slim" }),
        button("Delete chosen", remove, { class: "danger slim" }),
        button("Choose none", none, { class: "slim quiet" }),
      ),
    );
  }

  function choose(id, isRange) {
    const ids = shown().map((one) => one.id);
    const [from, to] = [ids.indexOf(last), ids.indexOf(id)].sort((one, other) => one - other);
    if (isRange && from >= 0) { for (const one of ids.slice(from, to + 1)) chosen.add(one); }
    else if (!chosen.delete(id)) chosen.add(id);
    last = id;
    draw();
  }
  return {
    element,
    choose,
    /** Drops those that are not there any more. */
    drawn() {
      const ids = new Set(shown().map(({ id }) => id));
      for (const id of chosen) if (!ids.has(id)) chosen.delete(id);
      draw();
    },
  };
}
