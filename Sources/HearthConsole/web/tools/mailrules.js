// How codes and links are found in the mails that the app sends, where the usual way goes wrong.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { button, field, form, h, hint, input, say } from "../core/ui.js";

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
  const { rules } = await call("GET", own(project, "mailRules"), { signal });
  let stored = rules;
  const put = async (wanted) => {
    await call("PUT", own(project, "mailRules"), { body: { rules: wanted } });
    stored = wanted;
  };
  const place = h("div");
  const empty = hint("No rules: codes and links are found by the words around them.");
  let editors = [];

  function draw() {
    place.replaceChildren(...(editors.length ? editors.map(({ element }) => element) : [empty]));
  }

  function add(rule) {
    const made = editor(rule, (element) => {
      editors = editors.filter((one) => one.element !== element);
      draw();
    });
    editors.push(made);
    draw();
    return made.element;
  }
  for (const rule of rules) add(rule);
  draw();
  root.append(
    form(
      place,
      "Save",
      async () => {
        const before = stored;
        await put(editors.map(({ value }) => value()));
        say("Rules saved.", async () => {
          await put(before);
          editors = [];
          for (const rule of before) add(rule);
          draw();
        });
      },
      "primary",
      button("Add a rule", () => add({}).querySelector("input").focus()),
    ),
    hint(
      "A rule needs a code or a link. The first group of an expression counts, or all of it; “*” " +
        "in a condition stands for any text. Rules are for mails that come afterwards.",
    ),
    h("p", {}, h("a", { href: linkTo("mailbox") }, "Mailbox")),
  );
}
