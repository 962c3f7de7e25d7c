// A collection as a table: sorted and filtered in its head, edited in its cells, many rows at once.

import { live, paced } from "../core/live.js";
import { part, render } from "../core/render.js";
import { note } from "../core/routes.js";
import {
  button,
  checkbox,
  dangerous,
  dialog,
  fail,
  field,
  h,
  heading,
  hint,
  input,
  plural,
  problem,
  say,
  select,
  table,
} from "../core/ui.js";
import { operators } from "./querycode.js";
import { cell } from "./results.js";
import { pathOf } from "./store.js";
import { brief, fromPlain, typed, typeOptions, types, wired } from "./values.js";

const pageSize = 50;
const mostColumns = 6;
/** Types that a cell can be edited in; others are edited in the document. */
const plainTypes = [
  "stringValue",
  "integerValue",
  "doubleValue",
  "booleanValue",
  "timestampValue",
  "nullValue",
];

const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\x60${name}\x60`);

/** What is typed into a filter: JSON where it is that, else text. */
export function valueOf(text) {
  try {
    return fromPlain(JSON.parse(text));
  } catch {
    return { stringValue: text };
  }
}

const filterOf = ({ by, op, text }) => {
  const value = valueOf(text);
  const target = { fieldPath: quoted(by) };
  return "nullValue" in value
    ? { unaryFilter: { field: target, op: op === "NOT_EQUAL" ? "IS_NOT_NULL" : "IS_NULL" } }
    : { fieldFilter: { field: target, op, value } };
};

/** The query of what is wanted. Without an order of one's own, it is that of the ids. */
export const queryOf = (collection, { sort, down, by, op = "EQUAL", text }, limit) => ({
  from: [{ collectionId: collection }],
  ...(by && text !== "" && { where: filterOf({ by, op, text }) }),
  ...(sort && {
    orderBy: [{
      field: { fieldPath: sort === "__name__" ? sort : quoted(sort) },
      direction: down ? "DESCENDING" : "ASCENDING",
    }],
  }),
  limit,
});

/** What the address asks for. */
const wantedFrom = (params) => ({
  sort: params.get("sort") ?? "",
  down: Boolean(params.get("down")),
  by: params.get("by") ?? "",
  op: params.get("op") ?? "EQUAL",
  text: params.get("value") ?? "",
  hidden: (params.get("hidden") ?? "").split(",").filter(Boolean),
});

const addressOf = ({ sort, down, by, op, text, hidden }) => ({
  view: "table",
  sort,
  down: down ? 1 : "",
  by: text && by,
  op: text && by && op !== "EQUAL" ? op : "",
  value: by && text,
  hidden: hidden.join(","),
});

/** Asks for a value of one of the plain types; `take` gets it on the wire. */
function askValue(title, name, value, take) {
  const [type, content] = value === undefined ? ["stringValue", ""] : typed(value);
  const options = typeOptions.filter(([key]) => plainTypes.includes(key));
  const kind = select(options, type);
  const text = input({ value: types[type][1](content) });
  const adapt = () => {
    text.closest(".field").hidden = kind.value === "nullValue";
  };
  kind.addEventListener("change", adapt);
  dialog(
    title,
    [name, field("Type", kind), field("Value", text)],
    "Save",
    () => take(wired(kind.value, types[kind.value][2](text.value))),
  );
  adapt();
  text.select();
}

/** The rows that are chosen, and what is done with them. */
const bulk = ({ chosen }, { setField, removeChosen, drop }) =>
  chosen.size > 0 && h(
    "div.bulk",
    { key: "bulk", role: "group", "aria-label": "Chosen documents" },
    h("strong", {}, `${chosen.size} chosen`),
    button("Set a field", setField, { class: "slim" }),
    dangerous(
      "Delete chosen",
      () => `${plural(chosen.size, "document")} will be deleted. Those below them stay.`,
      removeChosen,
      { class: "danger slim" },
    ),
    button("Choose none", drop, { class: "slim quiet" }),
  );

class Grid {
  limit = pageSize;
  chosen = new Set();
  /** All names that were seen, so that a filter does not take columns away. */
  names = new Set();

  constructor({ db, path, params, place }) {
    Object.assign(this, { db, path, place, wanted: wantedFrom(params) });
    this.documents = live(() => this.read(), { signal: db.signal });
    this.redraw = paced(() => this.draw(), 50);
    this.search = paced(() => this.documents.ask(), 250);
  }

  async read() {
    const query = queryOf(this.path.at(-1), this.wanted, this.limit + 1);
    const answer = await this.db.query(this.path.slice(0, -1), query);
    const found = answer.map(({ document }) => document).filter(Boolean);
    for (const { fields = {} } of found) {
      for (const name of Object.keys(fields)) this.names.add(name);
    }
    return found;
  }

  ask(changes, isTyping) {
    this.wanted = { ...this.wanted, ...changes };
    this.chosen.clear();
    const { database } = this.db;
    note("firestore", this.path, {
      db: database === "(default)" ? "" : database,
      ...addressOf(this.wanted),
    });
    this.draw();
    return isTyping ? this.search() : this.documents.ask();
  }

  /** Writes one field of a document, and nothing else; answers what takes it back. */
  async write(document, name, value) {
    const path = pathOf(document.name);
    const put = (now, then) =>
      this.db.patch(path, now ? { [name]: now } : {}, [quoted(name)], then);
    const before = document.fields?.[name];
    const after = await put(value, document.updateTime);
    return () => put(before, after.updateTime);
  }

  edit(document, name) {
    const value = document.fields?.[name];
    if (value !== undefined && !plainTypes.includes(typed(value)[0])) {
      location.hash = this.db.link(pathOf(document.name));
      return;
    }
    askValue(`${name} of ${pathOf(document.name).at(-1)}`, null, value, async (wanted) => {
      const undo = await this.write(document, name, wanted);
      await this.documents.ask();
      say("Saved.", this.thenRead(undo));
    });
  }

  thenRead(undo) {
    return async () => {
      await undo();
      await this.documents.ask();
    };
  }

  get picked() {
    return this.documents.state.value.filter(({ name }) => this.chosen.has(name));
  }

  setField() {
    const name = input({ required: true });
    const { picked } = this;
    askValue(
      `Set a field of ${plural(picked.length, "document")}`,
      field("Field", name),
      undefined,
      async (value) => {
        const undos = await Promise.all(picked.map((one) => this.write(one, name.value, value)));
        await this.documents.ask();
        say(
          `${plural(picked.length, "document")} changed.`,
          this.thenRead(() => Promise.all(undos.map((undo) => undo()))),
        );
      },
    );
  }

  async removeChosen() {
    const { picked } = this;
    await Promise.all(picked.map((one) => this.db.remove(pathOf(one.name), one.updateTime)));
    this.chosen.clear();
    await this.documents.ask();
    const back = (one) => this.db.patch(pathOf(one.name), one.fields ?? {}, []);
    say(
      `${plural(picked.length, "document")} deleted.`,
      this.thenRead(() => Promise.all(picked.map(back))),
    );
  }

  choose(name) {
    if (!this.chosen.delete(name)) this.chosen.add(name);
    this.draw();
  }

  get columns() {
    const { hidden } = this.wanted;
    return [...this.names].sort().filter((name) => !hidden.includes(name)).slice(0, mostColumns);
  }

  head() {
    const { sort, down } = this.wanted;
    const order = (name) => sort === name ? (down ? "descending" : "ascending") : undefined;
    const sorts = (name, label) =>
      button(label, () => this.ask({ sort: name, down: sort === name && !down }), {
        class: "sorts",
        title: `Sort by ${label}`,
      });
    return [
      [h("span.unseen", {}, "Choose")],
      [sorts("__name__", "Document"), "", order("__name__")],
      ...this.columns.map((name) => [sorts(name, name), "", order(name)]),
    ];
  }

  row(document) {
    const path = pathOf(document.name);
    const id = path.at(-1);
    const { columns } = this;
    const isChosen = this.chosen.has(document.name);
    const state = [document.updateTime, columns, isChosen];
    const value = (name) =>
      h("button.link.cut.plain", {
        type: "button",
        title: brief(document.fields?.[name]),
        "aria-label": `${name} of ${id}: ${brief(document.fields?.[name]) || "nothing"}`,
        onclick: () => this.edit(document, name),
      }, cell(document.fields?.[name]));
    return part(document.name, state, () =>
      h(
        "tr",
        {},
        h(
          "td",
          {},
          checkbox(isChosen, {
            "aria-label": `Choose ${id}`,
            onchange: () => this.choose(document.name),
          }),
        ),
        h(
          "th",
          { scope: "row" },
          h("a.cut", { href: this.db.link(path), "data-row": "", title: id }, id),
        ),
        columns.map((name) => h("td", {}, value(name))),
      ));
  }

  /** The filter, and which columns are shown. */
  bar() {
    const { sort, op, text, hidden } = this.wanted;
    const names = [...this.names].sort();
    // What one has sorted by is what one filters by, unless one says otherwise.
    const by = this.wanted.by || (names.includes(sort) ? sort : names[0] ?? "");
    const search = field(
      "Filter",
      input({
        type: "search",
        value: text,
        placeholder: "value, such as 12, true or Vienna",
        oninput: ({ currentTarget }) => this.ask({ text: currentTarget.value, by }, true),
      }),
    );
    search.classList.add("grows");
    const options = Object.entries(operators).filter(([key]) => !/IN$|ANY$|CONTAINS/.test(key));
    return h(
      "search.bar",
      { key: "bar" },
      field(
        "Where",
        select(names.map((name) => [name]), by, {
          onchange: ({ currentTarget }) => this.ask({ by: currentTarget.value }),
        }),
      ),
      field(
        "Is",
        select(options, op, {
          onchange: ({ currentTarget }) => this.ask({ op: currentTarget.value }),
        }),
      ),
      search,
      field(
        "Columns",
        select(
          [
            ["", hidden.length ? `${hidden.length} hidden` : "all"],
            ...names.map((name) => [name, `${hidden.includes(name) ? "Show" : "Hide"} ${name}`]),
          ],
          "",
          {
            onchange: ({ currentTarget }) => {
              const name = currentTarget.value;
              const others = hidden.filter((one) => one !== name);
              this.ask({ hidden: others.length < hidden.length ? others : [...hidden, name] });
            },
          },
        ),
      ),
    );
  }

  draw() {
    const { value, error } = this.documents.state;
    const found = value?.slice(0, this.limit) ?? [];
    const hasMore = value?.length > this.limit;
    render(this.place, [
      this.title,
      this.bar(),
      error && problem(error),
      value && h(
        "p.hint",
        { key: "count", role: "status" },
        hasMore ? `The first ${found.length} documents` : plural(found.length, "document"),
        "; press a value to change it",
      ),
      found.length > 0 &&
      table("Documents", this.head(), found.map((one) => this.row(one)), { class: "grid-of" }),
      value && !found.length && hint("No documents."),
      hasMore && button("More", () => {
        this.limit += pageSize;
        return this.documents.ask();
      }),
      bulk(this, {
        setField: () => this.setField(),
        removeChosen: () => this.removeChosen(),
        drop: () => {
          this.chosen.clear();
          this.draw();
        },
      }),
    ]);
  }
}

/** Shows the collection of a path; answers what reads it again. */
export async function gridView(context) {
  const grid = new Grid(context);
  grid.title = heading(context.path.at(-1));
  grid.place.replaceChildren();
  await grid.documents.ask().catch(fail);
  grid.documents.subscribe(grid.redraw);
  grid.draw();
  return () => grid.documents.refresh();
}
