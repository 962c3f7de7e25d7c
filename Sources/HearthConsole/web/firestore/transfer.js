// Documents from a file, and the documents of a query as a file.

import { text } from "../core/api.js";
import { undoable } from "../core/undo.js";
import {
  button,
  dialog,
  download,
  field,
  h,
  hint,
  input,
  plural,
  say,
  select,
} from "../core/ui.js";

const formats = [["json", "JSON"], ["ndjson", "JSON, one document a line"], ["csv", "CSV"]];
const kinds = { json: "application/json", ndjson: "application/x-ndjson", csv: "text/csv" };

function importFile(db, path, reload) {
  const file = h("input", { type: "file", accept: ".json,.ndjson,.jsonl,.csv", required: true });
  const format = select(formats, "json");
  const id = input({ placeholder: "id" });
  const mode = select([
    ["create", "Refuse documents that exist"],
    ["replace", "Replace documents that exist"],
  ], "create");
  file.addEventListener("change", () => {
    const name = file.files[0]?.name ?? "";
    format.value = /csv$/i.test(name) ? "csv" : /(ndjson|jsonl)$/i.test(name) ? "ndjson" : "json";
  });
  dialog(
    `Import into ${path.at(-1)}`,
    [
      field("File", file),
      h(
        "div.grid",
        {},
        field("Format", format),
        field("Field of the id", id, "Ids are generated if left empty"),
      ),
      field("If a document exists", mode),
      hint("A file with a bad row is refused as a whole."),
    ],
    "Import",
    async () => {
      const query = new URLSearchParams({
        collection: path.join("/"),
        format: format.value,
        mode: mode.value,
        ...(id.value && { id: id.value }),
      });
      const raw = await file.files[0].text();
      let answer;
      const undo = await undoable(db.project, "import", async () => {
        answer = await text("POST", `${db.own(":importDocuments")}?${query}`, {
          raw,
          type: kinds[format.value],
        });
      });
      say(`${plural(JSON.parse(answer).written, "document")} written.`, undo);
      reload(path);
    },
  );
}

/** Asks the server for all documents of a query as a file. */
export async function exportQuery(db, parent, structuredQuery, format, name) {
  const content = await text("POST", db.own(":exportQuery"), {
    body: { format, structuredQuery, ...(parent.length && { parent: parent.join("/") }) },
  });
  download(`${name}.${format}`, content, kinds[format]);
}

function exportFile(db, path) {
  const format = select(formats, "json");
  dialog(`Export ${path.at(-1)}`, field("Format", format), "Export", () =>
    exportQuery(
      db,
      path.slice(0, -1),
      { from: [{ collectionId: path.at(-1) }] },
      format.value,
      path.at(-1),
    ));
}

export const transferButtons = (db, path, reload) => [
  button("Import", () => importFile(db, path, reload)),
  button("Export", () => exportFile(db, path)),
];
