import assert from "node:assert/strict";
import { test } from "node:test";

const { added, retype } = await import("../../Sources/HearthConsole/web/firestore/edit.js");

for (const [type, text] of [["mapValue", "{}"], ["arrayValue", "[]"]]) {
  test(`a new ${type} of an empty text begins with one value`, () => {
    const one = { ...added(), text };
    retype(one, type);
    assert.equal(one.children.length, 1);
    assert.equal(one.children[0].isNew, true);
  });
}

test("a text of JSON gives the values", () => {
  const one = { ...added(), text: '{"a": 1, "b": [2]}' };
  retype(one, "mapValue");
  assert.deepEqual(one.children.map(({ name }) => name), ["a", "b"]);
});
