// Asks the rules about a request that nobody made, and shows how each part was evaluated.

import { call, own } from "../core/api.js";
import { area, field, form, h, hint, input, parseObject, select, tag } from "../core/ui.js";
import { evaluation } from "./tree.js";

const presets = [
  ["none", "Nobody (signed out)"],
  ["user", "A user"],
  ["admin", "A user with a claim"],
];

/** `current()` answers the source that is in the editor; `complain(errors)` shows its errors. */
export function playground({ project, database, current, complain, goTo, params, keep }) {
  const method = select(
    [["get"], ["list"], ["create"], ["update"], ["delete"]],
    params.get("method") ?? "get",
  );
  const path = input({
    required: true,
    value: params.get("path") ?? "users/ann",
    placeholder: "users/ann",
  });
  const auth = select(presets, params.get("auth") ?? "none");
  const uid = input({ value: params.get("uid") ?? "ann" });
  const claims = area(3, '{"admin": true}');
  const data = area(4, '{"name": "Ann"}');
  const resource = area(3, "", { placeholder: "Empty: the document as it is stored" });
  const moment = input({
    placeholder: "Empty: the project's clock",
    pattern: "\\d{4}-\\d\\d-\\d\\dT.*",
  });
  const result = h("div", { role: "status" });
  const uidField = field("Uid", uid);
  const claimsField = field("Claims of the token", claims);
  const dataField = field("Data (request.resource.data)", data, "Plain JSON");
  const adapt = () => {
    uidField.hidden = auth.value === "none";
    claimsField.hidden = auth.value !== "admin";
    dataField.hidden = !/create|update/.test(method.value);
  };
  for (const control of [auth, method]) control.addEventListener("change", adapt);
  adapt();

  const who = () => (auth.value === "none" ? null : {
    uid: uid.value,
    token: auth.value === "admin" ? parseObject(claims.value || "{}", "Claims") : {},
  });

  async function ask() {
    keep({
      method: method.value,
      path: path.value.trim(),
      auth: auth.value === "none" ? "" : auth.value,
      uid: auth.value === "none" ? "" : uid.value,
    });
    const answer = await call("POST", own(project, "rules:evaluate"), {
      body: {
        rules: current(),
        method: method.value,
        path: path.value.trim().replace(/^\//, ""),
        auth: who(),
        ...(database() !== "(default)" && { database: database() }),
        ...(!dataField.hidden && data.value.trim() && { data: parseObject(data.value, "Data") }),
        ...(resource.value.trim() &&
          { resource: parseObject(resource.value, "The stored document") }),
        ...(moment.value && { time: moment.value }),
      },
    });
    const errors = answer.errors ?? [];
    complain(errors);
    if (errors.length) {
      return result.replaceChildren(
        ...errors.map(({ line, column, message }) =>
          h("p.notice.bad", {}, `${line}:${column} ${message}`)
        ),
      );
    }
    if (answer.matched) goTo(answer.matched.line);
    result.replaceChildren(
      h(
        "p.verdict",
        {},
        tag(answer.allowed ? "allowed" : "denied", answer.allowed ? "good" : "bad"),
        " ",
        answer.matched ? `by line ${answer.matched.line}` : "",
      ),
      ...[answer.reason && hint(answer.reason)].filter(Boolean),
      ...evaluation(answer),
    );
  }

  return h(
    "section.card",
    { "aria-labelledby": "playground" },
    h("h2", { id: "playground", tabindex: -1 }, "Playground"),
    hint("Evaluates what is in the editor, saved or not. Nothing is written."),
    form(
      [
        h("div.grid", {}, field("Method", method), field("Document or collection", path)),
        h("div.grid", {}, field("Caller", auth), uidField),
        claimsField,
        dataField,
        h(
          "details",
          {},
          h("summary", {}, "More"),
          field("The stored document (resource.data)", resource),
          field("Time", moment),
        ),
      ],
      "Evaluate",
      ask,
      "",
    ),
    result,
  );
}
