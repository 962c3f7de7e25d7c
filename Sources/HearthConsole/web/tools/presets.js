// Sets of faults by name: kept on the server, applied with one click.

import { call, own } from "../core/api.js";
import { withFaults } from "../core/undo.js";
import { button, dialog, field, h, input, say } from "../core/ui.js";

/** What an older server, which keeps none, is given instead. */
const usual = [
  {
    name: "slow-3g",
    title: "Slow 3G",
    builtIn: true,
    faults: [{ operation: "*", effect: { latency: { min: "400ms", max: "2s" } } }],
  },
  {
    name: "offline",
    title: "Offline",
    builtIn: true,
    faults: [{ operation: "*", effect: { drop: "before" } }],
  },
  {
    name: "flaky-writes",
    title: "A third of all writes fails",
    builtIn: true,
    faults: [{ operation: "firestore.*", share: 0.33, effect: { error: "UNAVAILABLE" } }],
  },
];

export async function presets({ project, signal, current, changed }) {
  const place = h("div.presets", { role: "group", "aria-label": "Presets" });
  let isKept = true;

  const apply = ({ name, title, faults }) =>
    withFaults(project, `The preset “${title ?? name}” is in force.`, async (path) => {
      if (isKept) {
        await call("POST", own(project, `faultPresets/${encodeURIComponent(name)}:apply`), {
          body: {},
        });
      } else await call("PUT", path, { body: { faults } });
      await changed();
    });

  async function load() {
    const answer = await call("GET", "/emulator/v1/faultPresets", { signal }).catch(() => null);
    isKept = Boolean(answer);
    const found = answer?.presets ?? usual;
    save.hidden = !isKept;
    place.replaceChildren(...found.map((preset) =>
      h(
        "div",
        {},
        button(preset.title ?? preset.name, () => apply(preset)),
        !preset.builtIn && button("×", async () => {
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
