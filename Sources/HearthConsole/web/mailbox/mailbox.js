// Captured mails and text messages: a list, and the one that is read.

import { call, own } from "../core/api.js";
import { linkTo, note } from "../core/routes.js";
import {
  announce, button, dialog, field, h, heading, hint, input, plural, problem, settled,
} from "../core/ui.js";
import { age, recipients, row } from "./list.js";
import { makePages } from "./pages.js";
import { read } from "./reader.js";
import { nameOf } from "./state.js";

export async function show({ root, project, path: [first], params: asked, signal, hear, retitle }) {
  let opened = first;
  /** The message that is read, with its texts; those of the list are without. */
  let whole = null;
  const search = input({
    type: "search",
    placeholder: "to:ann type:PASSWORD_RESET is:unread words",
    value: asked.get("q") ?? ""
  });
  const pages = makePages(project, signal);
  const list = h("ul.list.mails");
  const count = h("p.hint", { role: "status" });
  const trouble = h("div", { role: "alert" });
  const more = button("Show older messages", async () => { await pages.more(); draw(); },
    { hidden: true });
  const detail = h("section.detail", { "aria-label": "Message" });
  const wanted = () => search.value.trim();
  const params = () => ({ q: wanted() });
  const searchField = field("Search", search);
  searchField.classList.add("grows");
  root.append(
    h("search.bar", {}, searchField,
      button("Delete all", removeAll, { class: "danger" })),
    trouble,
    h("div.split", {}, h("section", { "aria-label": "Messages" }, count, list, more), detail));
  search.addEventListener("input", settled(() => {
    note("mailbox", opened ? [opened] : [], params());
    loadOrSay();
  }));
  const canRelease = call("GET", "/emulator/v1/overview", { signal }).then(
    ({ loaded }) => Boolean(loaded?.smtpRelay), () => false);

  function removeAll() {
    const q = wanted();
    const words = q ? `All messages that match “${q}” will be deleted.` :
      `All messages of ${project} will be deleted.`;
    dialog("Delete all?", hint(words), "Delete all", async () => {
      await call("DELETE", own(project, `messages${q && `?q=${encodeURIComponent(q)}`}`));
      await load();
      location.hash = linkTo("mailbox", [], params());
    }, "danger");
  }

  /** Reads the newest messages, and answers what is new among them. */
  async function load() {
    const fresh = await pages.load(wanted());
    if (fresh) {
      trouble.replaceChildren();
      draw();
    }
    return fresh ?? [];
  }

  /** A search that is not understood is said, and can be corrected. */
  const loadOrSay = () => load().catch((error) => {
    if (error.name !== "AbortError") trouble.replaceChildren(problem(error));
  });

  function draw() {
    const shown = pages.all();
    const focused = list.contains(document.activeElement) && document.activeElement.closest("li")
      .dataset.id;
    list.replaceChildren(...shown.map((message) => row(message, params())));
    mark();
    if (focused) rowOf(focused)?.querySelector("a").focus();
    more.hidden = shown.length >= pages.total();
    count.replaceChildren(!shown.length && !wanted() ?
      "No mail yet. Request a password reset, and its mail appears here." :
      shown.length < pages.total() ? `The newest ${shown.length} of ${pages.total()} messages` :
      `${plural(shown.length, "message")}, newest first`,
      ...(wanted() ? [" ", button("Clear the search", () => {
        search.value = "";
        search.dispatchEvent(new Event("input"));
      }, { class: "link" })] : []));
  }

  const mark = () => list.querySelectorAll("li").forEach((item) => {
    item.querySelector("a").ariaCurrent = item.dataset.id === opened ? "true" : null;
  });
  const rowOf = (id) => list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  /** What is known of the message that is read. */
  const current = () => pages.get(opened) ?? (whole?.id === opened ? whole : undefined);

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
      after: async () => {
        await load();
        location.hash = linkTo("mailbox", [], params());
      },
      /** Shows the message as an answer of the server has it now. */
      changed: (answer) => {
        pages.put(answer);
        draw();
        display(answer);
      }
    });
    retitle(nameOf(message));
  }

  async function open([id], asked, moves = true) {
    opened = id;
    if (asked && (asked.get("q") ?? "") !== wanted()) {
      search.value = asked.get("q") ?? "";
      loadOrSay();
    }
    root.classList.toggle("opened", Boolean(id));
    const keepsFocus = list.contains(document.activeElement) && document.activeElement.matches(
      ":focus-visible");
    mark();
    if (id) rowOf(id)?.scrollIntoView({ block: "nearest" });
    if (!id) {
      whole = null;
      detail.replaceChildren(hint("Choose a message to read it."));
      retitle();
      if (moves)(list.querySelector("a") ?? search).focus();
      return;
    }
    try {
      const message = await call("GET", own(project, `messages/${encodeURIComponent(id)}`), {
        signal });
      if (opened !== id) return;
      display(message);
      noteRead(message);
    } catch (error) {
      if (signal.aborted || opened !== id) return;
      detail.replaceChildren(heading("No such message"), hint(error.message));
    }
    const isNarrow = !list.checkVisibility();
    if (moves && (isNarrow || !keepsFocus)) detail.querySelector("h2").focus({ preventScroll: !
        isNarrow });
  }

  const refresh = settled(async () => {
    const fresh = await load().catch(() => []);
    if (fresh.length) {
      announce(fresh.length === 1 ?
        `New message: ${nameOf(fresh[0])}, to ${recipients(fresh[0])}` :
        `${fresh.length} new messages`);
    }
    const message = pages.get(opened);
    if (message && whole?.id === opened && message.usedAt !== whole.usedAt) {
      display({ ...whole, ...message });
    }
  }, 30);
  hear((event, data) => {
    if (pages.hear(event, data)) draw();
    if (/^(message|code|poll|sync)/.test(event)) refresh();
    age(detail, current());
  });
  const timer = setInterval(() => {
    for (const item of list.children) age(item, pages.get(item.dataset.id));
    age(detail, current());
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  await loadOrSay();
  await open([first], asked, false);
  return open;
}
