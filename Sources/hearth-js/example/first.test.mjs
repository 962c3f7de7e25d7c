// A first test, which the guide of the JavaScript package shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupHearth } from "hearth-emulator";

const hearth = setupHearth();

test("a forgotten password is reset", async () => {
  await hearth.signUp("ann@example.com", "old secret");
  await hearth.sendPasswordReset("ann@example.com");
  const code = await hearth.waitForCode("ann@example.com");
  await hearth.resetPassword(code, "new secret");
  assert.ok((await hearth.signIn("ann@example.com", "new secret")).idToken);
});
