// The project that is looked at, and a dialog that finds another one.

import { call, now } from "../core/api.js";
import { box, button, field, h, hint, icon, input, shortTime } from "../core/ui.js";

const entry = (name, note, isCurrent, take) =>
  h(
    "li",
    {},
    h(
      "button.entry",
      { type: "button", "aria-current": isCurrent && "true", onclick: () => take(name) },
      h("span", {}, name),
      note,
    ),
  );

class Picker {
  #place = document.getElementById("picker");
  #projects = [];
  #defaultProject = "";
  #activity = {};
  #project = "";
  /** Draws the list again while the dialog is open. */
  #redraw = null;

  constructor(choose) {
    this.choose = choose;
  }

  first() {
    return this.#defaultProject || this.#projects[0];
  }

  draw(project) {
    this.#project = project;
    this.#place.replaceChildren(
      button([h("span", {}, project), icon("chevron")], this.open, {
        "aria-haspopup": "dialog",
        "aria-label": `Project ${project}`,
        title: project,
      }),
    );
  }

  open = () => {
    const list = h("ul.list");
    const search = input({
      type: "search",
      maxlength: 128,
      placeholder: "Search, or name a new one",
      oninput: () => this.#redraw(),
    });
    const take = (name) => {
      close();
      this.choose(name);
    };
    const takeFirst = (event) => {
      event.preventDefault();
      list.querySelector("button")?.click();
    };
    this.#redraw = () => list.replaceChildren(...this.#entries(search.value.trim(), take));
    const close = box(
      "Projects",
      h(
        "form",
        { onsubmit: takeFirst },
        field("Find a project", search),
        list,
        hint("The newest activity comes first."),
        button("Close", () => close()),
      ),
      { class: "picking" },
    );
    document.querySelector("dialog.picking").addEventListener("close", () => {
      this.#redraw = null;
    });
    this.#redraw();
    this.read();
  };

  /** The projects that the words find, and one of that name where there is none. */
  #entries(wanted, take) {
    const projects = this.#projects;
    const found = projects.filter((name) => name.toLowerCase().includes(wanted.toLowerCase()));
    const entries = found.slice(0, 200).map((name) =>
      entry(name, this.#note(name), name === this.#project, take)
    );
    const isNew = wanted && !projects.includes(wanted);
    const words = "A project exists as soon as it is used.";
    return isNew ? [...entries, entry(wanted, h("small", {}, words), false, take)] : entries;
  }

  #note(name) {
    const isDefault = name === this.#defaultProject;
    const last = this.#activity[name];
    return h(
      "small",
      {},
      isDefault && "default",
      isDefault && last && ", ",
      last && ["used ", shortTime(last, now())],
    );
  }

  /** Asks which projects there are; an open picker shows them at once. */
  async read() {
    if (document.hidden) return;
    try {
      const answer = await call("GET", "/emulator/v1/projects");
      this.#projects = answer.projects ?? [];
      this.#defaultProject = answer.defaultProject ?? "";
      this.#activity = answer.lastActivity ?? {};
      this.#redraw?.();
    } catch { /* what is known stays */ }
  }
}

/** The picker; `choose` is called with the id of a project. */
export const makePicker = (choose) => new Picker(choose);
