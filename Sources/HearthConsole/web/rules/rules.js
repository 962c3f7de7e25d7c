// Security rules: the source with errors and coverage in place, and a playground.

import { call, own } from "../core/api.js";
import { draftNote, draftOf } from "../core/drafts.js";
import { paced, settled } from "../core/live.js";
import { render } from "../core/render.js";
import { note } from "../core/routes.js";
import { actions, button, copyButton, field, h, hint, rest, say, select, tag } from "../core/ui.js";
import { lineCounts } from "./coverage.js";
import { lineDifferences } from "./differences.js";
import { fileChoice, fileName, ofFile, writeButton } from "./file.js";
import { lineRequests } from "./asked.js";
import { sourceEditor } from "./editor.js";
import { playground } from "./playground.js";
import { readNames } from "./schema.js";
import { contentOf, coverageWords, errorsOf, ownerWords, warningsOf } from "./words.js";

/** What rules begin with where there are none. */
const starter = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    // Each user reads and writes their own document.
    match /users/{uid} {
      allow read, write: if request.auth != null && request.auth.uid == uid;
    }
  }
}
`;

/** The rules of a database as the server has them; `take` is what reads them into the editor. */
const rulesOf = (project, database, signal) => {
  const path = (verb = "") => own(project, `rules${verb}?${new URLSearchParams({ database })}`);
  return {
    database,
    draft: draftOf(project, "rules", database),
    read: () => call("GET", path(), { signal }),
    write: (name, content, revision) =>
      call("PUT", path(), { body: { rules: { files: [{ name, content }] }, revision } }),
    remove: () => call("DELETE", path()),
    /** Writes the file of the rules, where it still says what has the revision. */
    writeFile: (content, revision) =>
      call("PUT", path(":file"), { body: { rules: { files: [{ content }] }, revision } }),
    /** The requests that had a line evaluated. */
    requestsOf: (line) => call("GET", `${path(":requests")}&line=${line}`, { signal }),
    /** What is wrong with a text; nothing is set. */
    check: (text) =>
      call("POST", own(project, "rules:evaluate"), {
        body: { rules: text, method: "get", path: "any/one", auth: null },
      }),
    resetCoverage: () => call("DELETE", path(":coverage")),
    coverage: () =>
      call("GET", `/emulator/v1/projects/${encodeURIComponent(project)}:ruleCoverage`, { signal }),
  };
};

/** What others have set since one began to edit, and the choice. */
const conflict = (saved, theirs, { take, keep }) =>
  h(
    "p.notice.warn",
    {},
    "The rules have changed since you began to edit. ",
    button("Show theirs", take, { class: "link" }),
    " or ",
    button("keep mine", keep, { class: "link" }),
    h("details", {}, h("summary", {}, "What has changed"), lineDifferences(saved, theirs)),
  );

/**
 * What is edited: the text, the rules that it was made from, and what the server has by now. `draw`
 * shows it.
 */
class Editing {
  rules = null;
  answer = {};
  saved = "";
  told = null;
  counts = new Map();

  constructor(editor, draw) {
    this.editor = editor;
    this.draw = draw;
    this.checkSoon = settled(() => this.check(), 300);
  }

  get isEdited() {
    return this.editor.value !== this.saved;
  }

  edited() {
    const { revision } = this.answer;
    if (this.isEdited) this.rules.draft.keep({ text: this.editor.value, revision });
    else this.rules.draft.drop();
    this.checkSoon();
    this.draw();
  }

  /** Shows what is wrong with the text while it is typed. */
  async check() {
    const text = this.editor.value;
    const answer = await this.rules.check(text).catch(() => ({}));
    if (text !== this.editor.value || !this.isEdited) return;
    this.editor.complain([...(answer.errors ?? []), ...warningsOf(answer)], false);
  }

  async readCoverage() {
    const report = await this.rules.coverage().catch(() => null);
    const source = report?.rules?.files?.[0]?.content;
    const isOther = source !== undefined && source !== this.saved;
    this.counts = !report || this.isEdited || isOther ? new Map() : lineCounts(report);
    this.editor.count(this.counts);
    this.draw();
  }

  /** Shows rules as the server has them, in place of what is in the editor. */
  take(answer) {
    Object.assign(this, { answer, saved: contentOf(answer), told: null });
    this.editor.value = this.saved;
    this.editor.complain(warningsOf(answer));
    this.rules.draft.drop();
    return this.readCoverage();
  }

  /** Says that others have changed the rules; what was typed stays, and is not saved over theirs. */
  tellOfOthers(answer) {
    const keep = () => {
      Object.assign(this, { answer, saved: contentOf(answer), told: null });
      this.edited();
    };
    this.told = conflict(this.saved, contentOf(answer), { take: () => this.take(answer), keep });
    this.draw();
  }

  /** Reads the rules again; what was typed stays. */
  async load() {
    const { rules } = this;
    const answer = await rules.read();
    if (rules !== this.rules) return;
    if (answer.revision !== this.answer.revision) {
      return this.isEdited ? this.tellOfOthers(answer) : this.take(answer);
    }
    this.answer = answer;
    this.draw();
  }

  /** Reads the rules of a database for the first time, with what was typed on an earlier visit. */
  async begin(rules) {
    this.rules = rules;
    const kept = rules.draft.read();
    const answer = await rules.read();
    if (rules !== this.rules) return;
    await this.take(answer);
    if (!kept || kept.value.text === this.saved) return;
    this.editor.value = kept.value.text;
    this.answer = { ...answer, revision: kept.value.revision };
    this.edited();
    this.editor.count(new Map());
    if (kept.value.revision !== answer.revision) return this.tellOfOthers(answer);
    this.told = draftNote(kept.at, () => this.take(answer));
    this.draw();
  }

  /** Has the server take the text, and shows what it has then; `words` say that others were first. */
  async put(words, work) {
    try {
      const written = await work();
      await this.take(written);
      return written;
    } catch (error) {
      if (error.statusName === "ABORTED") {
        await this.load();
        throw new Error(words);
      }
      const found = errorsOf(error.message);
      if (!found.length) throw error;
      this.editor.complain(found);
      throw new Error(
        `Keeping the previous rules in force. Line ${found[0].line}: ${found[0].message}`,
      );
    }
  }

  async save() {
    const { rules, answer, editor } = this;
    const name = answer.rules?.files?.[0]?.name ?? "firestore.rules";
    const written = await this.put(
      "Not saved: the rules have changed since you began to edit.",
      () => rules.write(name, editor.value, answer.revision),
    );
    say("Rules saved.", async () => {
      // Those of a file hold again when the ones that were set are gone.
      const back = answer.source === "set"
        ? await rules.write(name, contentOf(answer), written.revision)
        : await rules.remove();
      if (rules === this.rules) await this.take(back);
    });
  }

  /** Writes the text to the file that the server follows. */
  async saveFile() {
    const { rules, answer, editor } = this;
    const { rules: before, revision } = ofFile(answer);
    const written = await this.put(
      "Not written: the file has changed since you began to edit.",
      () => rules.writeFile(editor.value, revision),
    );
    say(`Written to ${fileName(answer)}.`, async () => {
      const back = await rules.writeFile(contentOf({ rules: before }), written.revision);
      if (rules === this.rules) await this.take(back);
    });
  }
}

/** What is above and below the editor, which change. */
function parts(session) {
  const follow = async () => {
    const { answer, name, rules } = session;
    const gone = await rules.remove();
    await session.take(gone);
    say("The rules that were set are gone.", async () => {
      const back = await rules.write(name, contentOf(answer), gone.revision);
      if (rules === session.rules) await session.take(back);
    });
  };
  return {
    news: [
      session.answer.source === "none" && h(
        "p.notice.warn",
        {},
        "No rules: Firestore is open to everybody. ",
        !session.editor.value && button("Begin with rules for signed-in users", () => {
          session.editor.value = starter;
          session.edited();
        }, { class: "link" }),
      ),
      session.told,
    ],
    owner: ownerWords(session.answer, follow),
    status: session.isEdited && tag("not saved", "warn"),
    file: writeButton(session),
    cover: coverageWords(session.counts, session.project),
  };
}

async function databaseChoice(current, project, signal, choose) {
  const { databases = [] } = await call("GET", own(project, "databases"), { signal })
    .catch(() => ({}));
  const names = [...new Set(["(default)", ...databases.map(({ id, name }) => id ?? name)])];
  if (names.length < 2) return null;
  return field(
    "Database",
    select(names.map((name) => [name]), current, {
      onchange: ({ currentTarget }) => choose(currentTarget.value),
    }),
  );
}

/** The page around the editor; the places are filled as things change. */
function page({ places, session, editor, asked, side }) {
  const reset = async () => {
    await session.rules.resetCoverage();
    await session.readCoverage();
    say("The counts begin at zero.");
  };
  const load = (text) => {
    editor.value = text;
    session.edited();
  };
  return [
    places.news,
    h(
      "div.bar",
      {},
      places.chooser,
      places.save,
      places.file,
      places.back,
      copyButton("Copy", () => editor.value),
      h("div.goto", {}, editor.find),
      places.status,
    ),
    h(
      "div.pair-wide",
      {},
      h(
        "section",
        { "aria-label": "Source" },
        places.owner,
        editor.element,
        editor.problems,
        places.cover,
        actions(
          button("Reset coverage", reset),
          button("Requests of this line", () => asked.show(editor.line), {
            title: "The requests that had the line of the cursor evaluated",
          }),
        ),
        asked.element,
        fileChoice(load),
      ),
      side,
    ),
    hint(
      "The counts beside the lines say how often each was evaluated. Hover over one for the values, press it for its requests.",
    ),
  ];
}

export async function show({ root, project, params, signal, hear }) {
  const places = {
    news: h("div", { role: "status" }),
    status: h("span", { role: "status" }),
    save: button("Save rules", () => session.save(), { class: "primary" }),
    back: button("Undo changes", async () => session.take(await session.rules.read())),
    file: h("span"),
    owner: h("div.hint.owner"),
    cover: h("p.hint"),
    chooser: h("div"),
  };
  const names = {};
  readNames(project, signal).then((found) => Object.assign(names, found), () => {});
  const asked = lineRequests((line) => session.rules.requestsOf(line));
  const editor = sourceEditor(() => session.edited(), () => names, asked.show);
  const session = new Editing(editor, () => {
    for (const [name, content] of Object.entries(parts(session))) render(places[name], content);
    for (const one of [places.save, places.back]) rest(one, !session.isEdited);
  });
  session.project = project;
  for (const one of [places.save, places.back]) rest(one, true);
  const use = (database) => session.begin(rulesOf(project, database, signal));
  const choose = (database) => {
    note("rules", [], { db: database === "(default)" ? "" : database });
    return use(database);
  };
  const first = params.get("db") || "(default)";
  const side = playground({
    project,
    database: () => session.rules.database,
    current: () => editor.value,
    complain: (errors) => editor.complain(errors),
    goTo: (line) => editor.goTo(line),
    params,
    keep: (values) => note("rules", [], values),
  });
  // First all that has room on the page, so that nothing moves.
  const chooser = await databaseChoice(first, project, signal, choose);
  render(places.chooser, chooser);
  places.chooser.hidden = !chooser;
  root.append(...page({ places, session, editor, asked, side }));
  const soon = paced(() => session.readCoverage().catch(() => {}), 2000);
  const again = paced(() => session.load().catch(() => {}), 200);
  hear((event, { operation } = {}) => {
    if (/^(rules|sync|poll)/.test(event)) again();
    if (event === "request" && /^firestore\./.test(operation)) soon();
  });
  await use(first);
  const go = (wanted) => wanted.get("line") && editor.goTo(Number(wanted.get("line")));
  go(params);
  return (_, wanted) => go(wanted);
}
