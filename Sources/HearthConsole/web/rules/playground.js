// Asks the rules about a request that nobody made, and shows how each part was evaluated.

import { call, own } from "../core/api.js";
import { area, field, form, h, hint, input, parseObject, select, tag } from "../core/ui.js";
import { evaluation } from "./tree.js";

const presets = [
  ["none", "Nobody (signed out)"],
  ["user", "A user"],
  ["admin", "A user with a claim"],
];

/** The controls for a request that nobody made. */
function controlsOf(params) {
  return {
    method: select(
      [["get"], ["list"], ["create"], ["update"], ["delete"]],
      params.get("method") ?? "get",
    ),
    path: input({
      required: true,
      value: params.get("path") ?? "users/ann",
      placeholder: "users/ann",
    }),
    auth: select(presets, params.get("auth") ?? "none"),
    uid: input({ value: params.get("uid") ?? "ann" }),
    claims: area(3, '{"admin": true}'),
    data: area(4, '{"name": "Ann"}'),
    resource: area(3, "", { placeholder: "Empty: the document as it is stored" }),
    moment: input({
      placeholder: "Empty: the project's clock",
      pattern: "\\d{4}-\\d\\d-\\d\\dT.*",
    }),
  };
}

/** The same with their labels; only those that the request has are seen. */
function fieldsOf({ method, path, auth, uid, claims, data, resource, moment }) {
  const uidField = field("Uid", uid);
  const claimsField = field("Claims of the token", claims);
  const dataField = field("Data (request.resource.data)", data, "Plain JSON");
  const adapt = () => {
    uidField.hidden = auth.value === "none";
    claimsField.hidden = auth.value !== "admin";
    dataField.hidden = !mayHaveData(method);
  };
  for (const control of [auth, method]) control.addEventListener("change", adapt);
  adapt();
  return [
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
  ];
}

const mayHaveData = (method) => /create|update/.test(method.value);

const whoOf = ({ auth, uid, claims }) => (auth.value === "none" ? null : {
  uid: uid.value,
  token: auth.value === "admin" ? parseObject(claims.value || "{}", "Claims") : {},
});

/** What the controls ask, as the server takes it. */
function questionOf(controls, database) {
  const { method, path, data, resource, moment } = controls;
  return {
    method: method.value,
    path: path.value.trim().replace(/^\//, ""),
    auth: whoOf(controls),
    ...(database !== "(default)" && { database }),
    ...(mayHaveData(method) && data.value.trim() && { data: parseObject(data.value, "Data") }),
    ...(resource.value.trim() && { resource: parseObject(resource.value, "The stored document") }),
    ...(moment.value && { time: moment.value }),
  };
}

/** What the address keeps of the controls. */
const keptOf = ({ method, path, auth, uid }) => ({
  method: method.value,
  path: path.value.trim(),
  auth: auth.value === "none" ? "" : auth.value,
  uid: auth.value === "none" ? "" : uid.value,
});

const verdict = (answer) => [
  h(
    "p.verdict",
    {},
    tag(answer.allowed ? "allowed" : "denied", answer.allowed ? "good" : "bad"),
    " ",
    answer.matched ? `by line ${answer.matched.line}` : "",
  ),
  ...[answer.reason && hint(answer.reason)].filter(Boolean),
  ...evaluation(answer),
];

/** `current()` answers the source that is in the editor; `complain(errors)` shows its errors. */
export function playground({ project, database, current, complain, goTo, params, keep }) {
  const controls = controlsOf(params);
  const result = h("div", { role: "status" });

  async function ask() {
    keep(keptOf(controls));
    const body = { rules: current(), ...questionOf(controls, database()) };
    const answer = await call("POST", own(project, "rules:evaluate"), { body });
    const errors = answer.errors ?? [];
    complain(errors);
    if (answer.matched && !errors.length) goTo(answer.matched.line);
    result.replaceChildren(
      ...(errors.length
        ? errors.map(({ line, column, message }) =>
          h("p.notice.bad", {}, `${line}:${column} ${message}`)
        )
        : verdict(answer)),
    );
  }

  return h(
    "section.card",
    { "aria-labelledby": "playground" },
    h("h2", { id: "playground", tabindex: -1 }, "Playground"),
    hint("Evaluates what is in the editor, saved or not. Nothing is written."),
    form(fieldsOf(controls), "Evaluate", ask, ""),
    result,
  );
}
