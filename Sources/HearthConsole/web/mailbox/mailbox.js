// Captured mails and text messages: a list, and the one that is read.

import { call, own, text } from "../core/api.js";
import { linkTo, note } from "../core/routes.js";
import {
  announce, button, dialog, field, h, heading, hint, input, plural, problem, settled,
} from "../core/ui.js";
import { isRead, rememberRead } from "../frame/unread.js";
import { age, recipients, row } from "./list.js";
import { read } from "./reader.js";
import { matcher, nameOf } from "./state.js";

const usual = 100;
const most = 1000;

export async function show({ root, project, path: [first], params: asked, signal, hear, retitle }) {
  const messages = new Map();
  let limit = usual;
  let known = "";
  let total = 0;
  let opened = first;
  /** Whether the server searches; an older one is given no search, and its answer is filtered here. */
  let serverSearches = true;

  const search = input({
    type: "search",
    placeholder: "to:ann type:PASSWORD_RESET is:unread words",
    value: asked.get("q") ?? ""
  });
  const list = h("ul.list.mails");
  const count = h("p.hint", { role: "status" });
  const trouble = h("div", { role: "alert" });
  const more = button(`Show up to ${most}`, () => { limit = most; return load(); });
  const detail = h("section.detail", { "aria-label": "Message" });
  const params = () => ({ q: search.value.trim() });
  const searchField = field("Search", search);
  searchField.classList.add("grows");
  root.append(
    h("search.bar", {}, searchField,
      button("Delete all", removeAll, { class: "danger" })),
    trouble,
    h("div.split", {}, h("section", { "aria-label": "Messages" }, count, list, more), detail));
  search.addEventListener("input", settled(() => {
    note("mailbox", opened ? [opened] : [], params());
    load().catch((error) => trouble.replaceChildren(problem(error)));
  }));

  function removeAll() {
    const q = serverSearches ? search.value.trim() : "";
    const words = q ? `All messages that match “${q}” will be deleted.` :
      `All messages of ${project} will be deleted.`;
    dialog("Delete all?", hint(words), "Delete all", async () => {
      await call("DELETE", own(project, `messages${q && `?q=${encodeURIComponent(q)}`}`));
      await load();
      location.hash = linkTo("mailbox", [], params());
    }, "danger");
  }

  async function answerFor(q) {
    const query = new URLSearchParams({ limit, ...(q && serverSearches && { q }) });
    try {
      return await text("GET", own(project, `messages?${query}`), { signal });
    } catch (error) {
      if (!q || !/unknown parameter/i.test(error.message)) throw error;
      serverSearches = false;
      return answerFor(q);
    }
  }

  /** Reads the list, and answers what is new in it. */
  async function load() {
    const { q } = params();
    const answer = await answerFor(q);
    if (q !== params().q) return [];
    trouble.replaceChildren();
    if (answer + q === known) return [];
    known = answer + q;
    const before = new Set(messages.keys());
    const parsed = JSON.parse(answer);
    messages.clear();
    for (const message of parsed.messages ?? []) messages.set(message.id, message);
    total = Number(parsed.total ?? messages.size);
    draw();
    return [...messages.values()].filter((message) => !before.has(message.id));
  }

  const visible = () => {
    const all = [...messages.values()].reverse();
    return serverSearches || !search.value.trim() ? all : all.filter(matcher(search.value
    .trim()));
  };

  function draw() {
    const shown = visible();
    const focused = list.contains(document.activeElement) && document.activeElement.closest("li")
      .dataset.id;
    list.replaceChildren(...shown.map((message) => row(project, message, params())));
    mark();
    if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"] a`)?.focus();
    more.hidden = messages.size < limit || limit === most;
    const isCut = messages.size >= limit && total <= messages.size;
    count.replaceChildren(!messages.size && !search.value.trim() ?
      "No mail yet. Request a password reset, and its mail appears here." :
      isCut && shown.length === messages.size ? `The newest ${shown.length} messages` :
      shown.length < total ? `${shown.length} of ${total} messages, newest first` :
      `${plural(shown.length, "message")}, newest first`,
      ...(search.value.trim() ? [" ", button("Clear the search", () => {
        search.value = "";
        search.dispatchEvent(new Event("input"));
      }, { class: "link" })] : []));
  }

  const mark = () => list.querySelectorAll("li").forEach((item) => {
    item.querySelector("a").ariaCurrent = item.dataset.id === opened ? "true" : null;
  });

  function noteRead(message) {
    if (isRead(project, message)) return;
    list.querySelector(`[data-id="${CSS.escape(message.id)}"]`)?.classList.remove("unread");
    rememberRead(project, message);
    if (message.read !== false) return;
    message.read = true;
    call("POST", own(project,
        `messages/${encodeURIComponent(message.id)}:markRead`), { body: {} })
      .then(() => dispatchEvent(new Event("hearth.read")), () => {});
  }

  function display(message) {
    read(detail, message, {
      project,
      signal,
      params: params(),
      after: async () => {
        await load();
        location.hash = linkTo("mailbox", [], params());
      },
      reload: async () => {
        await load();
        const again = messages.get(opened);
        if (again) display(again);
      }
    });
    retitle(nameOf(message));
  }

  async function open([id], wanted, moves = true) {
    opened = id;
    if (wanted && (wanted.get("q") ?? "") !== search.value.trim()) {
      search.value = wanted.get("q") ?? "";
      load().catch(() => {});
    }
    root.classList.toggle("opened", Boolean(id));
    const keepsFocus = list.contains(document.activeElement) && document.activeElement.matches(
      ":focus-visible");
    mark();
    if (!id) {
      detail.replaceChildren(hint("Choose a message to read it."));
      retitle();
      if (moves)(list.querySelector("a") ?? search).focus();
      return;
    }
    try {
      const message = messages.get(id) ??
        await call("GET", own(project, `messages/${encodeURIComponent(id)}`), { signal });
      if (opened === id) {
        display(message);
        noteRead(message);
      }
    } catch (error) {
      if (signal.aborted) return;
      detail.replaceChildren(heading("No such message"), hint(error.message));
    }
    const isNarrow = !list.checkVisibility();
    if (moves && (isNarrow || !keepsFocus)) detail.querySelector("h2").focus({ preventScroll: !
        isNarrow });
  }

  const refresh = settled(async () => {
    const before = messages.get(opened)?.usedAt;
    const fresh = await load().catch(() => []);
    if (fresh.length) {
      announce(fresh.length === 1 ?
        `New message: ${nameOf(fresh[0])}, to ${recipients(fresh[0])}` :
        `${fresh.length} new messages`);
    }
    const message = messages.get(opened);
    if (message && message.usedAt !== before) display(message);
  }, 30);
  hear((event) => {
    if (/^(message|code|poll|sync)/.test(event)) refresh();
    age(detail, messages.get(opened));
  });
  const timer = setInterval(() => {
    for (const item of list.children) age(item, messages.get(item.dataset.id));
    age(detail, messages.get(opened));
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  await load();
  await open([first], asked, false);
  return open;
}
