// Security rules: the source with errors and coverage in place, and a playground.

import { call, own } from "../core/api.js";
import { note } from "../core/routes.js";
import {
  actions, button, copyButton, dangerous, field, h, hint, input, say, select, settled, tag,
} from "../core/ui.js";
import { lineCounts, share } from "./coverage.js";
import { sourceEditor } from "./editor.js";
import { playground } from "./playground.js";

/** The errors that a refusal of the rules names. */
function errorsOf(message) {
  return [...message.matchAll(/^L?(\d+):(\d+) (.*)$/gm)].map(([, line, column, words]) => ({
    line: Number(line),
    column: Number(column),
    message: words
  }));
}

export async function show({ root, project, params, signal, hear }) {
  let database = params.get("db") || "(default)";
  let saved = "";
  let name = "firestore.rules";
  const state = h("span", { role: "status" });
  const base = () => (database === "(default)" ?
    `/emulator/v1/projects/${encodeURIComponent(project)}` :
    own(project, `databases/${encodeURIComponent(database)}`));
  const edited = () => state.replaceChildren(...(editor.value === saved ? [] : [tag("not saved",
    "warn")]));
  const editor = sourceEditor(edited);
  const cover = h("p.hint");

  async function readCoverage() {
    const report = await call("GET",
      `/emulator/v1/projects/${encodeURIComponent(project)}:ruleCoverage`, { signal }).catch(
    () => null);
    const source = report?.rules?.files?.[0]?.content;
    if (!report || editor.value !== saved || (source !== undefined && source !== saved))
    return editor.count(new Map());
    const counts = lineCounts(report);
    editor.count(counts);
    cover.replaceChildren(...(counts.size ? [
      `Coverage: ${share(counts)} % of the lines that decide. `, h("a", {
        target: "_blank",
        href: `/emulator/v1/projects/${encodeURIComponent(project)}:ruleCoverage.html`
      }, "As a page")
    ] : []));
  }

  /** Reads the rules; `keepsEdits` leaves alone what was typed meanwhile. */
  async function load({ keepsEdits = false } = {}) {
    const { rules } = await call("GET", `${base()}:securityRules`, { signal, admin: true });
    if (keepsEdits && editor.value !== saved) return;
    const file = rules?.files?.[0] ?? {};
    name = file.name ?? name;
    saved = file.content ?? "";
    editor.value = saved;
    edited();
    open.hidden = Boolean(saved.trim());
    await readCoverage();
    if (params.get("line")) editor.goTo(Number(params.get("line")));
  }

  async function save() {
    try {
      const { issues = [] } = await call("PUT", `${base()}:securityRules`, {
        admin: true,
        body: { rules: { files: [{ name, content: editor.value }] } }
      });
      editor.complain(issues.map((issue) => ({
        line: issue.sourcePosition?.line ?? issue.line ?? 1,
        column: 1,
        message: issue.description ?? issue.message ?? String(issue)
      })));
    } catch (error) {
      const found = errorsOf(error.message);
      if (!found.length) throw error;
      editor.complain(found);
      throw new Error(
      `The old rules stay in force. Line ${found[0].line}: ${found[0].message}`);
    }
    saved = editor.value;
    edited();
    open.hidden = Boolean(saved.trim());
    await readCoverage();
    say("Rules saved.");
  }

  const choose = select([["(default)"]], database, {
    onchange: () => {
      database = choose.value;
      note("rules", [], { db: database === "(default)" ? "" : database });
      load();
    }
  });
  const file = input({
    type: "file",
    accept: ".rules,text/plain",
    onchange: async () => {
      if (!file.files[0]) return;
      editor.value = await file.files[0].text();
      edited();
    }
  });
  const open = h("p.notice.warn", { hidden: true }, "No rules: Firestore is open to everybody.");
  const chooser = field("Database", choose);
  chooser.hidden = true;
  root.append(open, h("div.bar", {}, chooser, button("Save rules", save, { class: "primary" }),
      button("Undo changes", () => load()), copyButton("Copy", () => editor.value), state),
    h("div.pair-wide", {}, h("section", { "aria-label": "Source" }, editor.element, cover,
        actions(dangerous("Reset coverage",
          "The rules are saved again; their counts begin at zero.", save)),
        h("details", {}, h("summary", {}, "Load a file"), field("Rules file", file,
          "It is not saved until you save it."))),
      playground({
        project,
        database: () => database,
        current: () => editor.value,
        complain: (errors) => editor.complain(errors),
        goTo: (line) => editor.goTo(line),
        params,
        keep: (values) => note("rules", [], values)
      })),
    hint([
      "The counts beside the lines say how often each was evaluated; hover over them for the values."
    ]));
  call("GET", own(project, "databases"), { signal }).then(({ databases = [] }) => {
    const more = databases.map(({ id, name: other }) => id ?? other).filter((id) => id !==
      "(default)");
    choose.append(...more.map((id) => h("option", { value: id }, id)));
    choose.value = database;
    chooser.hidden = !more.length;
  }, () => {});
  const soon = settled(() => readCoverage().catch(() => {}), 500);
  hear((event, data) => {
    if (event === "sync") load({ keepsEdits: true }).catch(() => {});
    if (event === "request" && /^firestore\./.test(data.operation)) soon();
  });
  await load();
  return (_, wanted) => {
    if (wanted.get("line")) editor.goTo(Number(wanted.get("line")));
  };
}
