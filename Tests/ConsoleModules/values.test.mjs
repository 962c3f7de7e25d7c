import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";

globalThis.location = { hash: "", origin: "http://127.0.0.1:4000", host: "127.0.0.1:4000" };
const web = "../../Sources/HearthConsole/web";
const { before } = await import(`${web}/firestore/history.js`);
const { queryOf, valueOf } = await import(`${web}/firestore/grid.js`);
const { searchFor } = await import(`${web}/mailbox/kinds.js`);
const { isStill } = await import(`${web}/mailbox/pdf.js`);
const { pushOf } = await import(`${web}/mailbox/phone.js`);
const { coloured } = await import(`${web}/rules/colours.js`);
const { completions } = await import(`${web}/rules/names.js`);
const { fits, merged, requestLine } = await import(`${web}/timeline/lines.js`);

test("the moment before a time is one microsecond earlier", () => {
  assert.equal(before("2026-11-24T18:00:00.123456Z"), "2026-11-24T18:00:00.123455Z");
  assert.equal(before("2026-11-24T18:00:00.5Z"), "2026-11-24T18:00:00.499999Z");
  assert.equal(before("2026-01-01T00:00:00Z"), "2025-12-31T23:59:59.999999Z");
});

test("a filter takes JSON where it is that, else text", () => {
  assert.deepEqual(valueOf("12"), { integerValue: "12" });
  assert.deepEqual(valueOf('"12"'), { stringValue: "12" });
  assert.deepEqual(valueOf("Wien"), { stringValue: "Wien" });
  const wanted = { sort: "a b", down: true, by: "gone", op: "EQUAL", text: "null" };
  const { where, orderBy } = queryOf("cities", wanted, 5);
  assert.deepEqual(where, {
    unaryFilter: { field: { fieldPath: "gone" }, op: "IS_NULL" },
  });
  assert.deepEqual(orderBy, [{ field: { fieldPath: "`a b`" }, direction: "DESCENDING" }]);
});

test("a kind of messages takes the place of another one in a search", () => {
  assert.equal(searchFor("to:ann", "SMS"), "to:ann type:SMS");
  assert.equal(searchFor("to:ann type:SMS", "Mails"), "to:ann -type:SMS -type:PUSH");
  assert.equal(searchFor("to:ann -type:SMS -type:PUSH", "All"), "to:ann");
});

test("a push message is shown with whatever members it has", () => {
  const known = pushOf({
    push: {
      target: { kind: "topic", value: "news" },
      notification: { title: "Hello", body: "World", unresolved: ["a key"] },
      data: { id: "1" },
      devices: [{ token: "token" }],
      deviceCount: 3,
    },
    payload: { message: {} },
  });
  assert.deepEqual(
    [known.title, known.body, known.data, known.devices, known.more],
    ["Hello", "World", { id: "1" }, [{ token: "token" }], 2],
  );
  assert.deepEqual([known.target, known.unresolved], ["topic news", ["a key"]]);
  const bare = pushOf({ subject: "Hello", text: "World" });
  assert.deepEqual([bare.title, bare.body, bare.devices, bare.whole], ["Hello", "World", [], null]);
  assert.deepEqual(pushOf({ push: "text" }).devices, []);
});

test("the parts of a source are all of it", () => {
  const source = "match /a/{id} { // it's\n  allow read: if request.auth.uid == 'x' && 1 < 2;\n}";
  const parts = coloured(source);
  assert.equal(parts.map(([, text]) => text).join(""), source);
  assert.deepEqual(parts.filter(([kind]) => kind === "note"), [["note", "// it's"]]);
  assert.deepEqual(parts.filter(([kind]) => kind === "text"), [["text", "'x'"]]);
  assert.deepEqual(coloured("'not closed").at(-1), ["text", "'not closed"]);
});

test("names are those of the place", () => {
  const names = (source, known) => completions(source, source.length, known).found;
  assert.deepEqual(names("request.auth.u"), ["uid"]);
  assert.deepEqual(names("resource.data.pe", { fields: ["people", "name"] }), ["people"]);
  assert.deepEqual(names("match /ci", { collections: ["cities"] }), ["cities"]);
  assert.deepEqual(names("a"), []);
  assert.ok(names("function isOwner() {}\nallow read: if isO").includes("isOwner"));
});

test("requests and mails are one line, each in its own order", () => {
  const at = (time, key) => ({ time: `2026-11-24T18:00:0${time}Z`, key });
  const lines = merged([at(1, "a"), at(5, "b"), at(2, "c")], [at(2, "m"), at(7, "n")]);
  assert.deepEqual(lines.map(({ key }) => key), ["a", "m", "b", "c", "n"]);
});

test("a request that has only read is no line", () => {
  const read = { operation: "firestore.projects.databases.documents.get", status: 200, path: "" };
  assert.equal(requestLine(read), null);
  const clock = { operation: "hearth.clock.update", status: 200, body: { advance: "PT1H" } };
  const line = requestLine({ ...clock, id: 7, time: "" });
  assert.equal(line.words, "Moved the clock");
  assert.ok(fits(line, { kind: "", q: "pt1h clock" }));
  assert.ok(!fits(line, { kind: "mails", q: "" }));
});

test("a PDF is shown small only if it surely runs nothing", () => {
  const plain = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n/JSON /AAbc /Ann#x";
  assert.ok(isStill(plain));
  const unsure = ["/JS (app.alert())", "/S/JavaScript", "/OpenAction 3 0 R", "/AA<<", "/ObjStm"];
  for (const words of [...unsure, "/Encrypt 4 0 R", "/J#53 (x)", "/#4AS(x)"]) {
    assert.ok(!isStill(plain + words), words);
  }
  assert.ok(!isStill("<script>"));
});
