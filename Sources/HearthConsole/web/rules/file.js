// Files of rules: one of this machine that is read, and the one that the server was started with.

import { button, field, h, input } from "../core/ui.js";

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

/** The rules of the file and their revision, whether they hold or others were set. */
export const ofFile = (answer) => (answer.source === "set" ? answer.inherited : answer);

export const fileName = ({ file }) => file.split("/").at(-1);

/** The button that writes the editor's text to the file, where there is one. */
export const writeButton = (session) =>
  session.answer.file && button(`Write to ${fileName(session.answer)}`, () => session.saveFile(), {
    key: "file",
    title: `Writes ${session.answer.file}; its changes are followed from then on`,
  });
