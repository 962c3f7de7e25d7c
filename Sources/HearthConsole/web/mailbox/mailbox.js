// Captured mails and text messages: a list, and the one that is read.

import { call, own } from "../core/api.js";
import { linkTo, note } from "../core/routes.js";
import {
  announce,
  dialog,
  h,
  heading,
  hint,
  icon,
  paced,
  plural,
  say,
  settled,
} from "../core/ui.js";
import { undoable } from "../core/undo.js";
import { searchBar } from "./bar.js";
import { age, recipients } from "./list.js";
import { MessageList } from "./messagelist.js";
import { makePages } from "./pages.js";
import { read } from "./reader.js";
import { nameOf } from "./state.js";

/** What the view asks the server once: what this version and this start of it can do. */
function abilitiesOf(project, signal) {
  const push = own(project, "messages?q=type:PUSH&limit=1&summary=true");
  return {
    knowsPush: call("GET", push, { signal }).then(() => true, ({ status }) => status !== 400),
    canRelease: call("GET", "/emulator/v1/overview", { signal }).then(
      ({ loaded }) => Boolean(loaded?.smtpRelay),
      () => false,
    ),
  };
}

const nothingChosen = () =>
  h("div.empty", {}, icon("mailbox"), h("p", {}, "Choose a message to read it."));

class Mailbox {
  /** The message that is read, with its texts; those of the list are without. */
  whole = null;
  detail = h("section.detail", { "aria-label": "Message" });
  trouble = h("p.hint.wrong", { role: "alert" });
  gone = h("p.notice.warn", { role: "status" }, "This message was deleted.");

  constructor({ root, project, path: [first], params, signal, retitle }) {
    const { knowsPush, canRelease } = abilitiesOf(project, signal);
    Object.assign(this, { root, project, signal, retitle, canRelease, opened: first });
    this.pages = makePages(project, signal);
    this.bar = searchBar({ first: params.get("q") ?? "", knowsPush, removeAll: this.removeAll });
    this.list = new MessageList({
      project,
      pages: this.pages,
      search: this.bar,
      params: () => this.params,
      load: () => this.load(),
      draw: () => this.draw(),
    });
    const { bar, trouble, list, detail } = this;
    list.split.append(detail);
    root.append(bar.element, trouble, list.empty, list.split, list.many.element);
    bar.search.addEventListener("input", settled(() => this.searched()));
  }

  get wanted() {
    return this.bar.wanted;
  }

  get params() {
    return { q: this.wanted };
  }

  /** What is known of the message that is read. */
  get current() {
    const { opened, whole } = this;
    return this.pages.get(opened) ?? (whole?.id === opened ? whole : undefined);
  }

  draw() {
    this.list.draw(this.opened);
  }

  searched() {
    note("mailbox", this.opened ? [this.opened] : [], this.params);
    this.loadOrSay(true);
  }

  removeAll = () => {
    const { project, wanted: q } = this;
    const scope = q ? `all that match “${q}”` : `all of ${project}`;
    const words = `${plural(this.pages.total(), "message")} will be deleted: ${scope}.`;
    dialog("Delete all?", hint(words), "Delete all", async () => {
      const path = own(project, `messages${q && `?q=${encodeURIComponent(q)}`}`);
      const undo = await undoable(project, "delete-messages", () => call("DELETE", path));
      await this.load();
      location.hash = linkTo("mailbox", [], this.params);
      say("Messages deleted.", undo);
    }, "danger");
  };

  /** Reads the newest messages, and answers what is new among them. */
  async load() {
    const fresh = await this.pages.load(this.wanted);
    this.trouble.textContent = "";
    this.list.isStale = false;
    if (fresh) this.draw();
    return fresh ?? [];
  }

  /**
   * Says that a search is not understood. While one types, it is not complete: the list stays.
   */
  loadOrSay(isTyping = false) {
    return this.load().catch((error) => {
      if (error.name === "AbortError") return;
      this.list.isStale = true;
      this.trouble.textContent = error.message.replace(/^[A-Z_]+ : /, "");
      this.trouble.classList.toggle("bad", !isTyping);
    });
  }

  noteRead(message) {
    if (message.read) return;
    for (const known of [message, this.pages.get(message.id)]) if (known) known.read = true;
    this.list.noteRead(message.id);
    const path = `messages/${encodeURIComponent(message.id)}:markRead`;
    call("POST", own(this.project, path), { body: {} }).catch(() => {});
  }

  display(message) {
    const { project, signal, canRelease, params } = this;
    this.whole = message;
    read(this.detail, message, {
      project,
      signal,
      canRelease,
      params,
      beside: (step) => this.list.beside(this.opened, step),
      after: async (next) => {
        await this.load();
        location.hash = linkTo("mailbox", next ? [next.id] : [], this.params);
      },
      /** Shows the message as an answer of the server has it now. */
      changed: (answer) => {
        this.pages.put({ preview: this.pages.get(answer.id)?.preview, ...answer });
        this.draw();
        this.display(answer);
      },
    });
    this.retitle(nameOf(message));
  }

  open = async ([id], asked, moves = true) => {
    this.opened = id;
    this.pages.hold(id);
    if (asked && (asked.get("q") ?? "") !== this.wanted) {
      this.bar.show(asked.get("q") ?? "");
      this.loadOrSay();
    }
    this.root.classList.toggle("opened", Boolean(id));
    const keepsFocus = this.list.hasVisibleFocus;
    this.draw();
    if (!id) return this.openNone(moves);
    this.list.reveal(id);
    if (!await this.readWhole(id)) return;
    const isNarrow = !this.list.isVisible;
    if (moves && (isNarrow || !keepsFocus)) {
      this.detail.querySelector("h2").focus({ preventScroll: !isNarrow });
    }
  };

  openNone(moves) {
    this.whole = null;
    this.detail.replaceChildren(nothingChosen());
    this.retitle();
    if (moves) (this.list.firstLink ?? this.bar.search).focus();
  }

  /** Reads a message with its texts and shows it; answers whether it is still looked at. */
  async readWhole(id) {
    const path = own(this.project, `messages/${encodeURIComponent(id)}`);
    try {
      const message = await call("GET", path, { signal: this.signal });
      if (this.opened !== id) return false;
      this.display(message);
      this.noteRead(message);
    } catch (error) {
      if (this.signal.aborted || this.opened !== id) return false;
      this.detail.replaceChildren(heading("No such message"), hint(error.message));
    }
    return true;
  }

  async refresh() {
    const fresh = await this.load().catch(() => []);
    if (fresh.length) {
      announce(
        fresh.length === 1
          ? `New message: ${nameOf(fresh[0])}, to ${recipients(fresh[0])}`
          : `${fresh.length} new messages`,
      );
    }
    const { opened, whole } = this;
    const message = this.pages.get(opened);
    if (message && whole?.id === opened && message.usedAt !== whole.usedAt) {
      this.display({ ...whole, ...message });
    }
  }

  /** Says that the message which is read was deleted, and shows it again when it is back. */
  async lookAgain() {
    const { opened, whole, detail, gone } = this;
    if (!whole || whole.id !== opened) return;
    const path = own(this.project, `messages/${encodeURIComponent(opened)}`);
    const message = await call("GET", path, { signal: this.signal })
      .catch(({ status }) => (status === 404 ? null : whole));
    if (this.opened !== opened) return;
    if (!message) detail.prepend(gone);
    else if (gone.isConnected) this.display(message);
  }

  /** States change as time passes. */
  tick(isEach) {
    age(this.detail, this.current);
    this.list.tick(isEach);
  }
}

export async function show(context) {
  const { path: [first], params, signal, hear } = context;
  const view = new Mailbox(context);
  const refresh = paced(() => view.refresh(), 250);
  const lookAgain = paced(() => view.lookAgain(), 250);
  hear((event, data) => {
    if (view.pages.hear(event, data)) view.draw();
    if (/^(message|code|poll|sync)/.test(event)) refresh();
    if (/^(message\.deleted|sync)$/.test(event)) lookAgain();
    view.tick(false);
  });
  const timer = setInterval(() => view.tick(true), 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  await view.loadOrSay();
  await view.open([first], params, false);
  return view.open;
}
