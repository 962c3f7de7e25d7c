// Sets of faults by name: kept on the server, applied with one click.

import { call, own } from "../core/api.js";
import { withFaults } from "../core/undo.js";
import { button, dialog, field, h, icon, input, say } from "../core/ui.js";

export async function presets({ project, signal, current, changed }) {
  const place = h("div.presets", { role: "group", "aria-label": "Presets" });

  const apply = ({ name, title }) =>
    withFaults(project, `The preset “${title ?? name}” is in force.`, async () => {
      await call("POST", own(project, `faultPresets/${encodeURIComponent(name)}:apply`), {
        body: {},
      });
      await changed();
    });

  async function load() {
    const { presets: found = [] } = await call("GET", "/emulator/v1/faultPresets", { signal });
    place.replaceChildren(...found.map((preset) =>
      h(
        "div",
        {},
        button(preset.title ?? preset.name, () => apply(preset)),
        !preset.builtIn && button(icon("close"), async () => {
          const path = `/emulator/v1/faultPresets/${encodeURIComponent(preset.name)}`;
          await call("DELETE", path);
          await load();
          say("Preset deleted.", async () => {
            const { title, faults } = preset;
            await call("PUT", path, { body: { title, faults } });
            await load();
          });
        }, { class: "quiet", "aria-label": `Delete the preset ${preset.title ?? preset.name}` }),
      )
    ));
  }

  const save = button("Save the present faults as a preset", () => {
    const name = input({ required: true, pattern: "[a-z0-9][a-z0-9\\-]{0,62}" });
    const title = input({ required: true });
    title.addEventListener("input", () => {
      name.value = title.value.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    });
    dialog(
      "Save a preset",
      [field("Title", title), field("Name", name, "Lower-case letters, digits and hyphens")],
      "Save",
      async () => {
        await call("PUT", `/emulator/v1/faultPresets/${encodeURIComponent(name.value)}`, {
          body: { title: title.value, faults: current() },
        });
        await load();
      },
    );
  });
  await load();
  return [h("h2", {}, "Presets"), place, h("p.actions", {}, save)];
}
