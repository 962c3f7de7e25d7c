import assert from "node:assert/strict";
import { test } from "node:test";

const { live } = await import("../../Sources/HearthConsole/web/core/live.js");

/** A server whose answers come when the test says so. */
function server() {
  const calls = [];
  const read = (parameters) =>
    new Promise((answer, refuse) => calls.push({ parameters, answer, refuse }));
  return { calls, read };
}

test("who subscribes hears the answer", async () => {
  const { calls, read } = server();
  const users = live(read);
  const seen = [];
  users.subscribe(({ value }) => seen.push(value));
  const asked = users.ask({ page: 1 });
  calls[0].answer("first");
  await asked;
  assert.deepEqual(calls[0].parameters, { page: 1 });
  assert.deepEqual(seen, [undefined, undefined, "first"]);
  assert.equal(users.state.isReading, false);
});

test("an answer to other parameters does not win", async () => {
  const { calls, read } = server();
  const users = live(read);
  const asked = [users.ask("a"), users.ask("ab")];
  calls[1].answer("those of ab");
  calls[0].answer("those of a");
  await Promise.all(asked);
  assert.equal(users.state.value, "those of ab");
});

test("an earlier read of the same does not win over a later one", async () => {
  const { calls, read } = server();
  const users = live(read);
  const asked = [users.ask("a"), users.refresh()];
  calls[1].answer("newer");
  await asked[1];
  calls[0].answer("older");
  await Promise.all(asked);
  assert.equal(users.state.value, "newer");
});

test("an event that comes while it is read is not lost", async () => {
  const { calls, read } = server();
  const requests = live(read);
  const first = requests.ask();
  calls[0].answer([1]);
  await first;
  const again = requests.refresh();
  requests.update((list) => list.includes(2) ? list : [...list, 2]);
  assert.deepEqual(requests.state.value, [1, 2]);
  calls[1].answer([1]);
  await again;
  assert.deepEqual(requests.state.value, [1, 2]);
});

test("a refusal is shown, and the value stays until there is another", async () => {
  const { calls, read } = server();
  const users = live(read);
  const first = users.ask("a");
  calls[0].answer("there");
  await first;
  const second = users.refresh();
  calls[1].refuse(new Error("not now"));
  await second;
  assert.equal(users.state.value, "there");
  assert.equal(users.state.error.message, "not now");
  const third = users.refresh();
  calls[2].answer("again");
  await third;
  assert.equal(users.state.error, null);
});

test("nothing is reported after the end of a view", async () => {
  const { calls, read } = server();
  const ending = new AbortController();
  const users = live(read, { signal: ending.signal });
  let told = 0;
  users.subscribe(() => told += 1);
  const asked = users.ask("a");
  ending.abort();
  const before = told;
  calls[0].answer("too late");
  await asked;
  assert.equal(told, before);
});

test("what was never asked is not asked again", async () => {
  const { calls, read } = server();
  await live(read).refresh();
  assert.equal(calls.length, 0);
});

test("many events make one question", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { calls, read } = server();
  const users = live(read);
  const asked = users.ask("a");
  calls[0].answer("there");
  await asked;
  let hear = null;
  users.follow((work) => hear = work, /^user/);
  for (const event of ["user.created", "user.updated", "request", "sync"]) hear(event);
  t.mock.timers.tick(1000);
  assert.equal(calls.length, 2);
});
