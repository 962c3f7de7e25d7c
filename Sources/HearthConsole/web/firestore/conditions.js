// The conditions and orders of a query as rows of controls.

import { button, h, icon, input, select } from "../core/ui.js";
import { operators } from "./querycode.js";
import { fromPlain, types } from "./values.js";

const valueTypes = [
  "stringValue",
  "integerValue",
  "doubleValue",
  "booleanValue",
  "timestampValue",
  "nullValue",
  "referenceValue",
  "arrayValue",
].map((type) => [type, types[type][0]]);

const isUnary = (type) => type === "nullValue";

/** Rows that a person adds and removes. */
export function rowList(label, make) {
  const list = h("div.conditions");
  const rows = new Map();
  const add = (state) => {
    const { controls, read } = make(state);
    const row = h(
      "div.condition",
      {},
      controls,
      button(icon("close"), () => {
        row.remove();
        rows.delete(row);
      }, { class: "quiet", "aria-label": `Remove the ${label}` }),
    );
    rows.set(row, read);
    list.append(row);
  };
  return {
    add,
    read: () => [...rows.values()].map((read) => read()).filter(({ field: name }) => name),
    element: h("div", {}, list, button(`Add ${label}`, () => add({}), { class: "slim" })),
  };
}

export const filterRow = ({ field: name = "", op = "EQUAL", type = "stringValue", text = "" }) => {
  const target = input({ value: name, placeholder: "field", "aria-label": "Field" });
  const operator = select(Object.entries(operators), op, { "aria-label": "Operator" });
  const kind = select(valueTypes, type, { "aria-label": "Type of the value" });
  const value = input({ value: text, placeholder: "value", "aria-label": "Value" });
  const adapt = () => {
    value.hidden = isUnary(kind.value);
    value.placeholder = kind.value === "arrayValue" ? '["a", "b"]' : "value";
  };
  operator.addEventListener("change", () => {
    if (/IN$|ANY$/.test(operator.value)) kind.value = "arrayValue";
    adapt();
  });
  kind.addEventListener("change", adapt);
  adapt();
  return {
    controls: [target, operator, kind, value],
    read: () => {
      const content = kind.value === "arrayValue"
        ? fromPlain(JSON.parse(value.value || "[]"))
          .arrayValue
        : types[kind.value][2](value.value);
      return {
        field: target.value.trim(),
        op: operator.value,
        type: kind.value,
        text: value.value,
        value: { [kind.value]: content },
      };
    },
  };
};

export const orderRow = ({ field: name = "", direction = "ASCENDING" }) => {
  const target = input({ value: name, placeholder: "field", "aria-label": "Order by field" });
  const way = select([["ASCENDING", "ascending"], ["DESCENDING", "descending"]], direction, {
    "aria-label": "Direction",
  });
  return {
    controls: [target, way],
    read: () => ({ field: target.value.trim(), direction: way.value }),
  };
};
