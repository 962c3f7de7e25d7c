// How codes and links are found in the mails that the app sends, where the usual way goes wrong.

import { call, own } from "../core/api.js";
import { button, field, form, h, hint, input, savesChanges, say } from "../core/ui.js";

const conditions = { from: "From contains", to: "To contains", subject: "Subject contains" };
const patterns = {
  code: ["Code", "Ticket ([A-Z]+)"],
  link: ["Link", "https://example\\.com/\\S+"],
};

function editor(rule, remove) {
  const match = Object.entries(conditions).map(([name, label]) => [
    name,
    label,
    input({ value: rule.match?.[name] ?? "" }),
  ]);
  const found = Object.entries(patterns).map(([name, [label, placeholder]]) => [
    name,
    label,
    input({ value: rule[name] ?? "", placeholder, class: "code" }),
  ]);
  const given = (controls) =>
    Object.fromEntries(
      controls.map(([name, , control]) => [
        name,
        control
          .value.trim(),
      ]).filter(([, value]) => value),
    );
  const element = h(
    "fieldset",
    {},
    h("legend", {}, "Rule"),
    h("div.grid", {}, match.map(([, label, control]) => field(label, control))),
    h(
      "div.grid",
      {},
      found.map(([, label, control]) => field(`${label}, a regular expression`, control)),
    ),
    button("Remove this rule", () => remove(element), { class: "slim" }),
  );
  return { element, value: () => ({ match: given(match), ...given(found) }) };
}

export async function mailRules({ root, project, signal }) {
  const path = own(project, "mailRules");
  let { rules: stored } = await call("GET", path, { signal });
  const place = h("div");
  let editors = [];
  const written = () => editors.map(({ value }) => value());

  function add(rule) {
    const made = editor(rule, (element) => {
      editors = editors.filter((one) => one.element !== element);
      draw();
      (place.querySelector("input") ?? more).focus();
    });
    editors.push(made);
    return made.element;
  }
  function show() {
    editors = [];
    for (const rule of stored) add(rule);
    draw();
  }
  async function put(wanted) {
    await call("PUT", path, { body: { rules: wanted } });
    stored = wanted;
  }
  async function save() {
    const before = stored;
    await put(written());
    look();
    say("Rules saved.", async () => {
      await put(before);
      show();
    });
  }

  const more = button("Add a rule", () => {
    const element = add({});
    draw();
    element.querySelector("input").focus();
  });
  const element = form(place, "Save", save, "primary", more);
  const known = () => JSON.stringify(stored.map((rule) => editor(rule, () => {}).value()));
  const look = savesChanges(element, () => JSON.stringify(written()) !== known());
  const none = hint("No rules: codes and links are found by the words around them.");
  function draw() {
    place.replaceChildren(...(editors.length ? editors.map((one) => one.element) : [none]));
    look();
  }
  show();
  root.append(
    element,
    hint(
      "A rule needs an expression for a code or a link: what its first group matches is taken, or the " +
        "whole match. “*” in a condition stands for any text. Rules hold for mails that come from now on.",
    ),
  );
}
