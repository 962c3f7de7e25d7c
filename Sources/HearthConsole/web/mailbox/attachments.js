// What came with a message: files to save, and its pictures and PDFs to look at.

import { text } from "../core/api.js";
import { box, button, bytes, h, table, tag } from "../core/ui.js";
import { firstPage, isPDF, look } from "./pdf.js";

/** What a browser shows as a picture, and which does nothing. */
const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp)$/i;

/** What is read as it is. */
const texts = /^(text\/(plain|csv|markdown|calendar)|application\/json)/i;
const longest = 500_000;

async function read(part, url) {
  const content = await text("GET", url);
  const close = box(nameOf(part), [
    h("pre", { tabindex: 0 }, content),
    button("Close", () => close(), { autofocus: true }),
  ], { class: "broad" });
}

const nameOf = ({ name, cid }) => name || cid || "attachment";

export function attachments(message, address) {
  const urlOf = ({ id }) => `${address}/attachments/${encodeURIComponent(id)}`;
  const shown = message.attachments.filter((part) => isPDF(part) || pictures.test(part.type ?? ""));
  return [
    shown.length > 0 && h(
      "div.pictures",
      {},
      shown.map((part) =>
        h(
          "figure",
          {},
          isPDF(part)
            ? firstPage(nameOf(part), part.size ?? 0, urlOf(part))
            : h("img", { src: urlOf(part), alt: nameOf(part), loading: "lazy" }),
          h("figcaption", {}, nameOf(part)),
        )
      ),
    ),
    table(
      "Attachments",
      [["Name"], ["Type"], ["Size", "number"]],
      message.attachments.map((part) => [
        [
          h("a", { href: urlOf(part), download: nameOf(part) }, nameOf(part)),
          " ",
          part.inline && tag("shown in the mail"),
          texts.test(part.type ?? "") && (part.size ?? 0) < longest &&
          button("Read", () => read(part, urlOf(part)), {
            class: "slim",
            "aria-label": `Read ${nameOf(part)}`,
          }),
          isPDF(part) && button("Look", () => look(nameOf(part), urlOf(part)), {
            class: "slim",
            "aria-label": `Look at ${nameOf(part)}`,
          }),
        ],
        part.type,
        bytes(part.size ?? 0),
      ]),
    ),
  ];
}
