// One document: its fields as a tree and as JSON, kept up to date while it is shown.

import { draftNote, draftOf } from "../core/drafts.js";
import { render } from "../core/render.js";
import {
  actions,
  area,
  button,
  copyButton,
  dangerous,
  dialog,
  facts,
  field,
  fill,
  form,
  h,
  heading,
  input,
  parseObject,
  pretty,
  savesChanges,
  say,
  tabs,
  time,
} from "../core/ui.js";
import { changes, conflicts } from "./changes.js";
import { historyOf } from "./history.js";
import { mergeTable } from "./merge.js";
import { deleteDocument, saveDocument } from "./saving.js";
import { fieldEditor } from "./tree.js";
import { fromPlain, plain, sorted } from "./values.js";

/** The names of the fields that differ. */
function differences(before, after) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** Takes fields typed as on the wire, or as plain JSON. */
function fieldsOf(object) {
  const isWire = Object.values(object).every((value) =>
    value && typeof value === "object" &&
    Object.keys(value).length === 1 && /Value$/.test(Object.keys(value)[0])
  );
  return isWire ? object : fromPlain(object).mapValue.fields;
}

/** The fields as JSON. */
function sourceEditor(changed) {
  const source = area(14, "", { oninput: changed });
  const read = () => fieldsOf(parseObject(source.value, "Fields"));
  return {
    element: field(
      "Fields",
      source,
      'Typed as {"name": {"stringValue": "Ann"}}, or plain as {"name": "Ann"}',
    ),
    show(fields) {
      source.value = pretty(fields);
    },
    read,
  };
}

/** The two ways to edit; what is typed in one is in the other when that is chosen. */
function editors(root, { changed, save, isChanged }) {
  const looks = [];
  const look = () => looks.forEach((one) => one());
  const edited = () => {
    changed();
    look();
  };
  const all = { Fields: fieldEditor(root, edited), JSON: sourceEditor(edited) };
  let chosen = "Fields";
  const read = (isLenient) => all[chosen].read(isLenient);
  const more = {
    Fields: button("Add field", all.Fields.add),
    JSON: copyButton("Copy as plain JSON", () => pretty(plain({ mapValue: { fields: read() } }))),
  };
  const page = (name) => {
    const element = form(all[name].element, "Save", () => save(read()), "primary", more[name]);
    element.classList.toggle("fields", name === "Fields");
    looks.push(savesChanges(element, isChanged));
    return element;
  };
  const choose = (name) => {
    if (name === chosen) return;
    try {
      all[name].show(read(true));
    } catch { /* what cannot be read yet stays where it is typed */ }
    chosen = name;
  };
  return {
    element: tabs("Editor", Object.keys(all).map((name) => [name, () => page(name)]), "", choose),
    show(fields) {
      all[chosen].show(fields);
      look();
    },
    read,
  };
}

/** When it was written, or that it is not there. */
function state({ createTime, updateTime }, wasThere) {
  if (createTime) return facts([["Created", time(createTime)], ["Updated", time(updateTime)]]);
  const words = wasThere
    ? "This document was deleted. Saving creates it again."
    : "This document does not exist yet. Saving will create it.";
  return h("p.notice", {}, words);
}

/** Says that the document is gone while something was typed. */
const goneNote = (letGo) =>
  h(
    "p.notice.warn",
    {},
    "The document was deleted on the server. Saving creates it again. ",
    button("Let it go", letGo, { class: "link" }),
  );

/** What is done with the whole document. */
const endsOf = (column, more) =>
  h(
    "div",
    {},
    actions(
      more,
      copyButton("Copy path", column.path.join("/")),
      button("Duplicate", () => duplicate(column.db, column.path, column.typed())),
      dangerous("Delete document", "The collections below it stay.", async () => {
        const undo = await deleteDocument(column.db, column.path, await column.read());
        column.leave("Document deleted.", undo);
      }),
      dangerous(
        "Delete with subcollections",
        "The document and all documents below it will be deleted.",
        async () => {
          const undo = await column.db.removeTree(column.path);
          column.leave("Document deleted, and all below it.", undo);
        },
      ),
    ),
  );

/** Makes another document of the same fields. */
function duplicate(db, path, fields) {
  const id = input();
  dialog(
    `Duplicate ${path.at(-1)}`,
    field("Document id", id, "Generated if left empty"),
    "Create",
    async () => {
      const made = await db.create(path.slice(0, -1), id.value, fields);
      location.hash = db.link([...path.slice(0, -1), made.name.split("/").at(-1)]);
    },
  );
}

/** A document that is shown and edited. */
class DocumentColumn {
  place = h("div");
  note = h("div", { role: "status" });
  known = null;
  isDirty = false;
  /** The document as the server has it by now, and what differs, while something is typed. */
  others = null;
  merge = null;

  constructor(db, path, left, more) {
    Object.assign(this, { db, path, left });
    this.draft = draftOf(db.project, "document", db.database, ...path);
    this.editor = editors(db.root, {
      changed: () => {
        this.isDirty = true;
        this.draft.keep({ document: this.known, fields: this.typed() });
      },
      save: (fields) => this.save(fields),
      isChanged: () => this.isDirty || !this.known?.updateTime,
    });
    this.ends = endsOf(this, more);
    this.history = historyOf(db, path, {
      now: () => this.others ?? this.known,
      restored: () => this.refresh(),
    });
    this.element = h(
      "section.column.editor.card",
      { "aria-label": "Document" },
      heading(path.at(-1)),
      this.note,
      this.place,
    );
  }

  /** What the form says, even where it cannot be saved yet. */
  typed() {
    try {
      return this.editor.read(true);
    } catch {
      return this.known.fields ?? {};
    }
  }

  read() {
    return this.db.get(this.path).catch((error) => {
      if (error.status !== 404 || error.unavailable) throw error;
      return {};
    });
  }

  async save(fields) {
    const { db, path, known, others } = this;
    const given = this.merge?.chosen() ?? [];
    const outcome = await saveDocument(db, path, { known, target: others ?? known, fields, given });
    if (outcome.isOvertaken) {
      this.takeNote(await this.read(), fields);
      // What does not meet is brought together without a question.
      if (this.others.updateTime && !this.merge.choices.size) return this.save(fields);
      throw new Error("Not saved: the document has changed on the server.");
    }
    this.draft.drop();
    this.show(outcome.document);
    this.element.querySelector("h2").focus();
    say(
      outcome.words,
      outcome.undo && (async () => {
        await outcome.undo();
        await this.refresh();
      }),
    );
  }

  /** Lets go of what was typed. */
  discard(document) {
    this.draft.drop();
    this.show(document);
  }

  /** The document is gone: so is its column. */
  leave(words, undo) {
    this.draft.drop();
    this.left();
    say(words, undo);
  }

  /** Takes note of a newer version without touching what is typed. */
  takeNote(fresh, fields) {
    const before = this.merge;
    const known = this.known.fields ?? {};
    this.others = fresh;
    this.merge = null;
    if (!fresh.updateTime) return render(this.note, [goneNote(() => this.discard(fresh))]);
    const mine = changes(known, fields);
    const theirs = changes(known, fresh.fields ?? {});
    this.merge = mergeTable(mine, theirs, conflicts(mine, theirs));
    this.merge.adopt(before);
    this.note.replaceChildren(
      this.merge.element,
      actions(button("Discard mine", () => this.discard(fresh), { class: "link" })),
    );
  }

  /** Shows a document; `kept` are fields that were typed on an earlier visit. */
  show(document, kept) {
    const before = this.known;
    this.known = document;
    this.others = this.merge = null;
    this.isDirty = Boolean(kept);
    this.note.replaceChildren();
    this.editor.show(sorted(kept ?? document.fields ?? {}));
    render(this.place, [
      state(document, Boolean(before?.updateTime)),
      this.editor.element,
      this.history.element,
      this.ends,
    ]);
    if (before) this.mark(differences(before.fields ?? {}, document.fields ?? {}));
    this.history.changed();
  }

  /** Marks fields that have changed. */
  mark(names) {
    const { place } = this;
    for (const one of place.querySelectorAll(".row.changed")) one.classList.remove("changed");
    for (const name of names) {
      place.querySelector(`.row[data-path="${CSS.escape(name)}"]`)?.classList.add("changed");
    }
  }

  async refresh() {
    if (!this.known) return;
    const fresh = await this.read();
    if (fresh.updateTime === this.known.updateTime) return;
    if (!this.isDirty) return this.show(fresh);
    if (!this.others || fresh.updateTime !== this.others.updateTime) {
      this.takeNote(fresh, this.typed());
    }
  }

  async begin() {
    const fresh = await this.read();
    const kept = this.draft.read();
    if (!kept || !changes(kept.value.document.fields ?? {}, kept.value.fields).length) {
      return this.show(fresh);
    }
    this.show(kept.value.document, kept.value.fields);
    if (fresh.updateTime !== this.known.updateTime) this.takeNote(fresh, kept.value.fields);
    this.note.prepend(draftNote(kept.at, () => this.discard(this.others ?? fresh)));
  }
}

/** The column of a document; `refresh()` reads it again, and `left()` is called when it is deleted. */
export function documentColumn(db, path, left, ...more) {
  const column = new DocumentColumn(db, path, left, more);
  return {
    element: column.element,
    ready: fill(column.place, () => column.begin()),
    refresh: () => column.refresh().catch(() => {}),
  };
}
