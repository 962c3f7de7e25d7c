// The PDFs of a message: in the browser's own viewer, where it has one, and their first page small.

import { text } from "../core/api.js";
import { box, button, h, hint, icon } from "../core/ui.js";

export const isPDF = ({ type, name }) =>
  /^application\/pdf/i.test(type ?? "") || /\.pdf$/i.test(name ?? "");

/** Larger ones are not read for a small picture. */
const largest = 2_000_000;

/**
 * What runs by itself, and what may hide that: objects in streams, and names with escaped letters. A
 * script of a file can open a dialog that stops the whole page, so it is not shown before one asks.
 */
const runs =
  /\/(JS|JavaScript|OpenAction|AA|XFA|Launch|RichMedia|ObjStm|Encrypt)(?![\w-])|\/[!-~]{0,20}#[\da-fA-F]{2}/;

/** Whether it surely does nothing but show its pages. */
export const isStill = (content) => content.startsWith("%PDF-") && !runs.test(content);

/** Shows all of it. */
export function look(name, url) {
  const close = box(name, [
    navigator.pdfViewerEnabled
      ? h("iframe.pdf", { src: `${url}?view=1#toolbar=0`, title: name })
      : hint("This browser shows no PDF. Save the file to read it."),
    button("Close", () => close(), { autofocus: true }),
  ], { class: "broad" });
}

/** Its first page, of which the viewer takes neither focus nor pointer; a click shows all. */
export function firstPage(name, size, url) {
  const page = h("span", { inert: true }, icon("attachment"));
  if (size < largest && navigator.pdfViewerEnabled) {
    text("GET", url).then((content) => {
      if (!isStill(content)) return;
      const src = `${url}?view=1#toolbar=0&navpanes=0&view=FitH`;
      page.replaceChildren(h("iframe", { src, title: `First page of ${name}`, tabindex: -1 }));
    }).catch(() => {});
  }
  const label = `Look at all of ${name}`;
  return h(
    "button.page",
    { type: "button", "aria-label": label, onclick: () => look(name, url) },
    page,
  );
}
