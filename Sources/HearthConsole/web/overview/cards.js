// What the overview says of phones in the network, and of the mode in which Hearth is Google.

import { call } from "../core/api.js";
import { copyButton, facts, fill, h, hint, paced, table } from "../core/ui.js";

/** The set-up page of phones as a link and as a QR code; nothing where phones are not served. */
export function phonesCard(phones) {
  if (!phones) return null;
  const { host, setupUrl, qrCode, opensControl } = phones;
  return h(
    "section.card",
    { "aria-labelledby": "phones" },
    h("h2", { id: "phones" }, "Phones"),
    h(
      "p.hint",
      {},
      "Phones in this network reach Auth",
      opensControl ? ", Firestore and the control endpoints at " : " and Firestore at ",
      h("code", {}, host),
      ". Scan the code with one: the page has what to set in the app.",
    ),
    h(
      "div.scan",
      {},
      qrCode && h("img", {
        src: `data:image/svg+xml,${encodeURIComponent(qrCode)}`,
        alt: `QR code of ${setupUrl}`,
      }),
      h(
        "div",
        {},
        facts([
          [
            "Set-up page",
            h("a", { href: setupUrl, target: "_blank", rel: "noreferrer" }, setupUrl),
          ],
        ]),
        copyButton("Copy", setupUrl, {
          class: "slim",
          "aria-label": "Copy the address of the set-up page",
        }),
      ),
    ),
  );
}

/** How a host that is not emulated was asked for. */
const ways = {
  tls: "name in a TLS handshake",
  proxy: "through the proxy",
  request: "Host header",
  notPlayed: "answered with 501",
};

/** The hosts that programs asked for in vain; they are read again while the card is shown. */
export function googleCard(signal) {
  const place = h("div", { role: "status" });
  let last = "";
  const read = () =>
    fill(place, async () => {
      const { hosts = [], others = 0 } = await call("GET", "/emulator/v1/refusedHosts", { signal });
      const answer = JSON.stringify([hosts, others]);
      if (answer === last) return undefined;
      last = answer;
      if (!hosts.length) return hint("No requests to other hosts.");
      return [
        table(
          "Refused hosts",
          [["Refused host"], ["How", "wide"], ["Times", "number"]],
          hosts.map(({ host, way, count }) => [h("code", {}, host), ways[way] ?? way, count]),
        ),
        others > 0 && hint(`Further names, of which only the number is kept: ${others}.`),
      ];
    });
  const element = h(
    "section.card",
    { "aria-labelledby": "google" },
    h("h2", { id: "google" }, "As Google"),
    hint(
      "Programs call the host names of Google, and Hearth answers. Hosts that it does not " +
        "emulate are refused; nothing is sent to them.",
    ),
    place,
  );

  /** Nothing tells of a refused handshake, so it is asked for now and then. */
  function watch(hear) {
    read();
    const timer = setInterval(() => {
      if (!document.hidden) read();
    }, 5000);
    signal.addEventListener("abort", () => clearInterval(timer));
    const soon = paced(read, 2000);
    hear((event, data) => {
      if (/^(poll|sync)/.test(event) || (event === "request" && data.status >= 400)) soon();
    });
  }
  return { element, watch };
}
