// Captured mails and text messages: a list, and the one that is read.

import { call, own } from "../core/api.js";
import { part, render } from "../core/render.js";
import { notifies, notify } from "../core/notify.js";
import { linkTo, note } from "../core/routes.js";
import {
  announce,
  button,
  dialog,
  field,
  h,
  heading,
  hint,
  icon,
  input,
  paced,
  plural,
  say,
  settled,
} from "../core/ui.js";
import { undoable } from "../core/undo.js";
import { emptyMailbox } from "./empty.js";
import { age, recipients, row, shownOf } from "./list.js";
import { newestCode } from "./newest.js";
import { kindChoice } from "./kinds.js";
import { manyMessages } from "./many.js";
import { makePages } from "./pages.js";
import { read } from "./reader.js";
import { nameOf } from "./state.js";

export async function show({ root, project, path: [first], params: asked, signal, hear, retitle }) {
  let opened = first;
  /** The message that is read, with its texts; those of the list are without. */
  let whole = null;
  const search = input({
    type: "search",
    placeholder: "Find: to:ann type:otp is:unread words",
    value: asked.get("q") ?? "",
  });
  const pages = makePages(project, signal);
  const list = h("ul.list.mails");
  const count = h("p.hint", { role: "status" });
  const trouble = h("p.hint.wrong", { role: "alert" });
  const newest = newestCode();
  const knowsPush = call("GET", own(project, "messages?q=type:PUSH&limit=1&summary=true"), {
    signal,
  })
    .then(() => true, ({ status }) => status !== 400);
  const kinds = kindChoice(search, knowsPush);
  const many = manyMessages({ project, shown: () => pages.all(), done: () => load() });
  const more = button("Show older messages", async () => {
    await pages.more();
    draw();
  }, { hidden: true });
  const empty = h("div", { hidden: true });
  const detail = h("section.detail", { "aria-label": "Message" });
  const wanted = () => search.value.trim();
  const params = () => ({ q: wanted() });
  const searchField = field("Search", search);
  searchField.classList.add("grows");
  const bell = button(icon("bell"), async () => {
    const isOn = await notify(!notifies());
    bell.ariaPressed = String(isOn);
    say(isOn ? "The browser announces new codes." : "Browser notifications are off.");
  }, {
    class: "icon-button",
    "aria-pressed": String(notifies()),
    "aria-label": "Tell of new codes",
    title: "Notifications of the browser about new codes",
  });
  const split = h(
    "div.split",
    {},
    h("section", { "aria-label": "Messages" }, newest.element, count, list, more),
    detail,
  );
  root.append(
    h(
      "search.bar",
      {},
      searchField,
      kinds.element,
      bell,
      button("Delete all", removeAll, { class: "danger" }),
    ),
    trouble,
    empty,
    split,
    many.element,
  );
  search.addEventListener(
    "input",
    settled(() => {
      note("mailbox", opened ? [opened] : [], params());
      loadOrSay(true);
    }),
  );
  const canRelease = call("GET", "/emulator/v1/overview", { signal }).then(
    ({ loaded }) => Boolean(loaded?.smtpRelay),
    () => false,
  );

  function removeAll() {
    const q = wanted();
    const words = q
      ? `All messages that match “${q}” will be deleted.`
      : `All messages of ${project} will be deleted.`;
    dialog("Delete all?", hint(words), "Delete all", async () => {
      const undo = await undoable(
        project,
        "delete-messages",
        () => call("DELETE", own(project, `messages${q && `?q=${encodeURIComponent(q)}`}`)),
      );
      await load();
      location.hash = linkTo("mailbox", [], params());
      say("Messages deleted.", undo);
    }, "danger");
  }

  /** Reads the newest messages, and answers what is new among them. */
  async function load() {
    const fresh = await pages.load(wanted());
    trouble.textContent = "";
    list.classList.remove("stale");
    if (fresh) draw();
    return fresh ?? [];
  }

  /**
   * Says that a search is not understood. While one types, it is not complete: the list stays.
   */
  const loadOrSay = (isTyping = false) =>
    load().catch((error) => {
      if (error.name === "AbortError") return;
      list.classList.add("stale");
      trouble.textContent = error.message.replace(/^[A-Z_]+ : /, "");
      trouble.classList.toggle("bad", !isTyping);
    });

  function draw() {
    const shown = pages.all();
    const isEmpty = !shown.length && !wanted();
    const focused = list.contains(document.activeElement) &&
      document.activeElement.closest("li").dataset.id;
    render(
      list,
      shown.map((message) =>
        part(message.id, shownOf(message, params()), () => row(message, params(), many.choose))
      ),
    );
    many.drawn();
    for (const message of shown) rowOf(message.id).classList.toggle("unread", !message.read);
    if (focused && !list.contains(document.activeElement)) {
      rowOf(focused)?.querySelector("a").focus();
    }
    newest.show(shown);
    mark();
    split.hidden = isEmpty && !opened;
    empty.hidden = !split.hidden;
    if (!empty.hidden && !empty.childNodes.length) empty.append(emptyMailbox(project));
    more.hidden = shown.length >= pages.total();
    count.replaceChildren(
      shown.length < pages.total()
        ? `The newest ${shown.length} of ${pages.total()} messages`
        : `${plural(shown.length, "message")}, newest first`,
      ...(wanted()
        ? [
          " ",
          button("Clear the search", () => {
            search.value = "";
            search.dispatchEvent(new Event("input"));
          }, { class: "link" }),
        ]
        : []),
    );
  }

  const mark = () =>
    list.querySelectorAll("li").forEach((item) => {
      item.querySelector("a").ariaCurrent = item.dataset.id === opened ? "true" : null;
    });
  const rowOf = (id) => list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  /** What is known of the message that is read. */
  const current = () => pages.get(opened) ?? (whole?.id === opened ? whole : undefined);

  /** The message after (1) or before (-1) the one that is read, in the order of the list. */
  function beside(step) {
    const shown = pages.all();
    const at = shown.findIndex(({ id }) => id === opened);
    return at < 0 ? undefined : shown[at + step];
  }

  function noteRead(message) {
    if (message.read) return;
    for (const known of [message, pages.get(message.id)]) if (known) known.read = true;
    rowOf(message.id)?.classList.remove("unread");
    const path = `messages/${encodeURIComponent(message.id)}:markRead`;
    call("POST", own(project, path), { body: {} }).catch(() => {});
  }

  function display(message) {
    whole = message;
    read(detail, message, {
      project,
      signal,
      canRelease,
      params: params(),
      beside,
      after: async (next) => {
        await load();
        location.hash = linkTo("mailbox", next ? [next.id] : [], params());
      },
      /** Shows the message as an answer of the server has it now. */
      changed: (answer) => {
        pages.put({ preview: pages.get(answer.id)?.preview, ...answer });
        draw();
        display(answer);
      },
    });
    retitle(nameOf(message));
  }

  async function open([id], asked, moves = true) {
    opened = id;
    pages.hold(id);
    if (asked && (asked.get("q") ?? "") !== wanted()) {
      search.value = asked.get("q") ?? "";
      kinds.draw();
      loadOrSay();
    }
    root.classList.toggle("opened", Boolean(id));
    const keepsFocus = list.contains(document.activeElement) && document.activeElement.matches(
      ":focus-visible",
    );
    draw();
    if (id) rowOf(id)?.scrollIntoView({ block: "nearest" });
    if (!id) {
      whole = null;
      detail.replaceChildren(
        h("div.empty", {}, icon("mailbox"), h("p", {}, "Choose a message to read it.")),
      );
      retitle();
      if (moves) (list.querySelector("a") ?? search).focus();
      return;
    }
    try {
      const message = await call("GET", own(project, `messages/${encodeURIComponent(id)}`), {
        signal,
      });
      if (opened !== id) return;
      display(message);
      noteRead(message);
    } catch (error) {
      if (signal.aborted || opened !== id) return;
      detail.replaceChildren(heading("No such message"), hint(error.message));
    }
    const isNarrow = !list.checkVisibility();
    if (moves && (isNarrow || !keepsFocus)) {
      detail.querySelector("h2").focus({ preventScroll: !isNarrow });
    }
  }

  const refresh = paced(async () => {
    const fresh = await load().catch(() => []);
    if (fresh.length) {
      announce(
        fresh.length === 1
          ? `New message: ${nameOf(fresh[0])}, to ${recipients(fresh[0])}`
          : `${fresh.length} new messages`,
      );
    }
    const message = pages.get(opened);
    if (message && whole?.id === opened && message.usedAt !== whole.usedAt) {
      display({ ...whole, ...message });
    }
  }, 250);
  hear((event, data) => {
    if (pages.hear(event, data)) draw();
    if (/^(message|code|poll|sync)/.test(event)) refresh();
    age(detail, current());
    newest.tick();
  });
  const timer = setInterval(() => {
    for (const item of list.children) age(item, pages.get(item.dataset.id));
    age(detail, current());
    newest.tick();
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  await loadOrSay();
  await open([first], asked, false);
  return open;
}
