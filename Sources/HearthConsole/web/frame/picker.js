// The project that is looked at, and a dialog that finds another one.

import { call, now } from "../core/api.js";
import { box, button, field, h, hint, icon, input, shortTime } from "../core/ui.js";

/** The picker; `choose` is called with the id of a project. */
export function makePicker(choose) {
  let projects = [];
  let defaultProject = "";
  let activity = {};
  let project = "";
  let redraw = null;
  const place = document.getElementById("picker");

  function draw(name) {
    project = name;
    place.replaceChildren(
      button(
        [h("span", {}, project), icon("chevron")],
        open,
        { "aria-haspopup": "dialog", "aria-label": `Project ${project}`, title: project },
      ),
    );
  }

  function open() {
    const search = input({
      type: "search",
      maxlength: 128,
      placeholder: "Search, or name a new one",
    });
    const list = h("ul.list");
    const take = (name) => {
      close();
      choose(name);
    };
    const entry = (name, note) =>
      h(
        "li",
        {},
        h(
          "button.entry",
          { type: "button", "aria-current": name === project && "true", onclick: () => take(name) },
          h("span", {}, name),
          note,
        ),
      );
    redraw = () => {
      const wanted = search.value.trim();
      const found = projects.filter((name) => name.toLowerCase().includes(wanted.toLowerCase()));
      list.replaceChildren(
        ...found.slice(0, 200).map((name) =>
          entry(
            name,
            h(
              "small",
              {},
              name === defaultProject && "default",
              name === defaultProject && activity[name] && ", ",
              activity[name] && ["used ", shortTime(activity[name], now())],
            ),
          )
        ),
      );
      if (wanted && !projects.includes(wanted)) {
        list.append(entry(wanted, h("small", {}, "A project exists as soon as it is used.")));
      }
    };
    search.addEventListener("input", () => redraw());
    const close = box(
      "Projects",
      h(
        "form",
        {
          onsubmit: (event) => {
            event.preventDefault();
            list.querySelector("button")?.click();
          },
        },
        field("Find a project", search),
        list,
        hint("The newest activity comes first."),
        button("Close", () => close()),
      ),
      { class: "picking" },
    );
    document.querySelector("dialog.picking").addEventListener("close", () => {
      redraw = null;
    });
    redraw();
    read();
  }

  /** Asks which projects there are; an open picker shows them at once. */
  async function read() {
    if (document.hidden) return;
    try {
      const answer = await call("GET", "/emulator/v1/projects");
      projects = answer.projects ?? [];
      defaultProject = answer.defaultProject ?? "";
      activity = answer.lastActivity ?? {};
      redraw?.();
    } catch { /* what is known stays */ }
  }
  return { draw, read, open, first: () => defaultProject || projects[0] };
}
