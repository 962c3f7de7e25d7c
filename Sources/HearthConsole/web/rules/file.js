// Rules from a file of this machine.

import { field, h, input } from "../core/ui.js";

/** A file of rules from this machine, into the editor. */
export const fileChoice = (take) =>
  h(
    "details",
    {},
    h("summary", {}, "Load a file"),
    field(
      "Rules file",
      input({
        type: "file",
        accept: ".rules,text/plain",
        onchange: async ({ currentTarget: { files: [file] } }) => {
          if (file) take(await file.text());
        },
      }),
      "It is not saved until you save it.",
    ),
  );
