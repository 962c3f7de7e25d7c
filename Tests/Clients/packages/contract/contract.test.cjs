"use strict";
// What every client of Hearth can do, in JavaScript. contract.py is the same in Python.
//
// Runs with `node --test` and with Jest, where the packages are installed; the variable DIALECTS names a
// folder of definitions.

const assert = require("node:assert/strict");
const { randomUUID } = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const {
  HearthClient,
  HearthServer,
  SecondFactorRequired,
  customToken,
  setupHearth,
} = require("hearth-emulator");

const test = globalThis.test ?? require("node:test").test;
const hearth = setupHearth();

const ANN = "ann@example.com";
const BOB = "bob@example.com";
const RULES = `
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid} { allow read: if request.auth.uid == uid; }
  }
}
`;

const refused = (call, code) => assert.rejects(call, { code });
const told = (call, ...words) =>
  assert.rejects(call, (error) => {
    for (const word of words) assert.match(error.message, word);
    return true;
  });

// The five flows

test("flow 1: Sorted signs in", async () => {
  await hearth.setRules(RULES);
  const ann = await hearth.createUser({ email: ANN, password: "secret1", displayName: "Ann" });
  await hearth.setDocuments({
    [`users/${ann}`]: {
      email: ANN,
      displayName: "Ann",
      createdAt: new Date("2026-01-01T00:00:00Z"),
    },
  });
  const session = await hearth.signIn(ANN, "secret1");
  const document = await hearth.document(`users/${ann}`, { session });
  assert.equal(document.email, ANN);
  assert.equal(document.createdAt.toISOString(), "2026-01-01T00:00:00.000Z");
  const other = await hearth.signUp(BOB, "secret1");
  await refused(hearth.document(`users/${ann}`, { session: other }), "PERMISSION_DENIED");
  await refused(hearth.signIn(ANN, "wrong-one"), "INVALID_PASSWORD");
  await hearth.addFault("*.signInWithPassword", { status: 503 }, { times: 1 });
  await refused(hearth.signIn(ANN, "secret1"), "UNAVAILABLE");
  await hearth.signIn(ANN, "secret1");
  await hearth.advanceClock("61m");
  await refused(hearth.lookup(session), "TOKEN_EXPIRED");
  assert.equal((await hearth.lookup(await hearth.refresh(session))).displayName, "Ann");
  await hearth.updateUser(ann, { disableUser: true });
  await refused(hearth.signIn(ANN, "secret1"), "USER_DISABLED");
});

test("flow 2: Sorted resets a password", async () => {
  await hearth.createUser({ email: ANN, password: "old secret" });
  const session = await hearth.signIn(ANN, "old secret");
  await hearth.advanceClock(2000);
  await hearth.sendPasswordReset(ANN);
  const code = await hearth.waitForCode(ANN);
  assert.ok((await hearth.waitForLink(ANN, { type: "PASSWORD_RESET" })).includes(code));
  await hearth.resetPassword(code, "new secret");
  await hearth.signIn(ANN, "new secret");
  await refused(hearth.signIn(ANN, "old secret"), "INVALID_PASSWORD");
  await refused(hearth.refresh(session), "TOKEN_EXPIRED");
  await refused(hearth.resetPassword(code, "newer"), "INVALID_OOB_CODE");
  assert.equal((await hearth.latestMail(ANN)).state, "used");
  await hearth.sendPasswordReset(ANN);
  const late = await hearth.waitForCode(ANN);
  await hearth.advanceClock("2h");
  await refused(hearth.resetPassword(late, "newer"), "EXPIRED_OOB_CODE");
  await refused(hearth.sendPasswordReset(BOB), "EMAIL_NOT_FOUND");
  await hearth.setSwitches({ emailEnumerationProtection: true });
  await hearth.sendPasswordReset(BOB);
  assert.deepEqual(await hearth.mails({ to: BOB }), []);
});

async function withBackEnds(use) {
  const folder = process.env.DIALECTS;
  const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const server = await HearthServer.start({ flags: files.flatMap((file) => ["--dialect", file]) });
  try {
    const client = server.client();
    const email = `${randomUUID()}@example.com`;
    await client.signUp(email, "secret1");
    await use(client, email);
  } finally {
    await server.stop();
  }
}

function post(client, place, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers: { "Content-Type": "application/json", ...headers } };
    const request = http.request(new URL(place, client.url), options, (response) => {
      let text = "";
      response.on("data", (part) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, answer: JSON.parse(text) }));
    });
    request.on("error", reject).end(JSON.stringify(body));
  });
}

test("flow 3: SwiftlyFeedback", () =>
  withBackEnds(async (client, email) => {
    assert.equal((await post(client, "/api/v1/auth/forgot-password", { email })).status, 200);
    const body = { code: await client.waitForCode(email), new_password: "new-password" };
    assert.equal(body.code.length, 8);
    assert.equal((await post(client, "/api/v1/auth/reset-password", body)).status, 200);
    assert.equal((await post(client, "/api/v1/auth/reset-password", body)).status, 400);
    await client.signIn(email, "new-password");
  }));

test("flow 4: Jabrutouch", () =>
  withBackEnds(async (client, email) => {
    const app = { "User-Agent": "Jabrutouch/2.0" };
    assert.equal((await post(client, "/api/reset_password/", { email }, app)).status, 200);
    const token = new URL(await client.waitForLink(email)).searchParams.get("token");
    const body = { token, new_password: "New-password-1" };
    assert.equal((await post(client, "/api/confirm_reset_password/", body)).answer.success, true);
    assert.equal((await post(client, "/api/confirm_reset_password/", body)).status, 400);
    await client.signIn(email, "New-password-1");
  }));

test("flow 5: Artitec", () =>
  withBackEnds(async (client, email) => {
    await post(client, "/v1/auth/forgot-password", { email });
    const mail = await client.waitForMail(email);
    assert.match(mail.link, /^artitec:\/\/reset-password\?token=/);
    const token = mail.linkToken;
    assert.equal((await post(client, "/v1/auth/verify-reset-token", { token })).answer.valid, true);
    const weak = await post(client, "/v1/auth/reset-password", { token, new_password: "weak" });
    assert.equal(weak.status, 400);
    assert.match(weak.answer.detail, /Password/);
    const strong = { token, new_password: "Strong-enough-1" };
    assert.equal((await post(client, "/v1/auth/reset-password", strong)).status, 200);
    await client.signIn(email, "Strong-enough-1");
  }));

// Isolation

test("50 projects side by side do not see each other", async () => {
  await Promise.all(Array.from({ length: 50 }, async (_, number) => {
    const project = hearth.isolatedProject();
    assert.deepEqual([await project.users(), await project.mails()], [[], []]);
    await project.createUser({ email: ANN, password: "secret1", localId: "ann" });
    await project.setDocuments({ "things/one": { number } });
    await project.sendPasswordReset(ANN);
    assert.ok(await project.waitForCode(ANN));
    assert.deepEqual(await project.documents("things"), { one: { number } });
    await project.clear();
    assert.deepEqual(await project.users(), []);
  }));
});

let earlier;
for (const which of ["a test", "the next test"]) {
  test(`${which} has a project of its own`, async () => {
    assert.notEqual(hearth.project, earlier);
    assert.equal(process.env.GCLOUD_PROJECT, hearth.project);
    earlier = hearth.project;
    await hearth.signUp(ANN, "secret1");
  });
}

// What was seen instead

test("a wait in vain tells what is there", async () => {
  assert.equal(await hearth.latestMail(ANN), undefined);
  await told(hearth.waitForCode(ANN, { within: 50 }), /mailbox of .* is empty/);
  const session = await hearth.signUp(ANN, "secret1");
  await hearth.sendOobCode("VERIFY_EMAIL", { session });
  await refused(hearth.sendPasswordReset(BOB), "EMAIL_NOT_FOUND");
  await told(
    hearth.waitForLink(ANN, { type: "PASSWORD_RESET", within: 50 }),
    /VERIFY_EMAIL to ann@example.com, pending/,
    /sendOobCode: 400 EMAIL_NOT_FOUND/,
  );
});

test("calls are expected", async () => {
  await hearth.signUp(ANN, "secret1");
  const [call] = await hearth.waitForRequests("*.signUp", { status: 200 });
  assert.equal(call.method, "POST");
  await told(
    hearth.waitForRequests("*.signUp", { times: 2, within: 50 }),
    /1 of 2 calls of .*signUp/,
    /accounts.signUp: 200/,
  );
});

test("several calls are waited for", async () => {
  const calls = hearth.waitForRequests("*.signUp", { times: 2, within: 60_000 });
  await hearth.signUp(ANN, "secret1");
  await hearth.signUp(BOB, "secret1");
  assert.deepEqual((await calls).map((call) => call.status), [200, 200]);
});

test("an address is verified, and all is deleted", async () => {
  const session = await hearth.signUp(ANN, "secret1");
  await hearth.sendOobCode("VERIFY_EMAIL", { session });
  await hearth.applyCode(await hearth.waitForCode(ANN));
  assert.equal((await hearth.user(ANN)).emailVerified, true);
  await hearth.deleteMails();
  await hearth.deleteAllAccounts();
  // Last: the deletion of the accounts is in the log, too.
  await hearth.clearRequests();
  assert.deepEqual([await hearth.mails(), await hearth.users(), await hearth.requests()], [
    [],
    [],
    [],
  ]);
});

test("a server that is gone is named", () =>
  told(new HearthClient("127.0.0.1:1").clock(), /no answer from http:\/\/127.0.0.1:1/));

// Every kind of sign-in

test("sign-ins", async () => {
  assert.equal((await hearth.signInAnonymously()).claims.provider_id, "anonymous");
  await hearth.sendOobCode("EMAIL_SIGNIN", { email: ANN, continueUrl: "http://localhost/" });
  const linked = await hearth.signInWithEmailLink(ANN, await hearth.waitForCode(ANN));
  assert.equal(linked.claims.email_verified, true);
  const phone = await hearth.signInWithPhone("+15555550100");
  assert.equal(phone.claims.phone_number, "+15555550100");
  const google = await hearth.signInWithProvider("google.com", { sub: "1", email: BOB });
  assert.equal(google.claims.firebase.sign_in_provider, "google.com");
  await hearth.putPersona("pia", { email: "pia@example.com", displayName: "Pia" });
  const persona = await hearth.signInWithPersona("pia", "github.com");
  assert.equal(persona.claims.firebase.sign_in_provider, "github.com");
  const custom = await hearth.signInWithCustomToken(customToken("carl", { plan: "gold" }));
  assert.deepEqual([custom.localId, custom.claims.plan], ["carl", "gold"]);
  await hearth.setClaims("carl", { admin: true });
  assert.equal((await hearth.refresh(custom)).claims.admin, true);
  assert.equal((await hearth.actAs("carl", { trial: true })).claims.trial, true);
  assert.deepEqual((await hearth.users("carl")).map((one) => one.claims), [{ admin: true }]);
  assert.equal(await hearth.user("nobody@example.com"), undefined);
});

test("a second factor", async () => {
  await hearth.createUser({ email: ANN, password: "secret1", localId: "ann", emailVerified: true });
  const enrollments = [{ mfaEnrollmentId: "phone", phoneInfo: "+15555550100" }];
  await hearth.updateUser("ann", { mfa: { enrollments } });
  const required = await hearth.signIn(ANN, "secret1").catch((error) => error);
  assert.ok(required instanceof SecondFactorRequired);
  const session = await hearth.signInWithSecondFactor(required, { phoneNumber: "+15555550100" });
  assert.equal(session.claims.firebase.sign_in_second_factor, "phone");
});

test("an authenticator app", async () => {
  await hearth.createUser({ email: ANN, password: "secret1", localId: "ann", emailVerified: true });
  const first = await hearth.signIn(ANN, "secret1");
  const { secret, session: enrolled } = await hearth.enrollTotp(first, { displayName: "My app" });
  assert.equal(enrolled.localId, "ann");
  const signIn = async (factor) => {
    const required = await hearth.signIn(ANN, "secret1").catch((error) => error);
    assert.ok(required instanceof SecondFactorRequired);
    return hearth.signInWithSecondFactor(required, factor);
  };
  // Each code counts once.
  for (let time = 0; time < 2; time += 1) {
    const session = await signIn({ totpSecret: secret });
    assert.equal(session.claims.firebase.sign_in_second_factor, "totp");
  }
  await hearth.advanceClock(60_000);
  await hearth.freezeClock();
  const totpCode = await hearth.totpCode(secret);
  assert.equal((await signIn({ totpCode })).localId, "ann");
  await assert.rejects(signIn({ totpSecret: "ABCDEFGH" }), /INVALID_CODE/);
});

test("half a minute ends before a code arrives", async () => {
  await hearth.freezeClock();
  await hearth.createUser({ email: ANN, password: "secret1", localId: "ann", emailVerified: true });
  const { secret } = await hearth.enrollTotp(await hearth.signIn(ANN, "secret1"));
  const codes = [];
  const { totpCode } = hearth;
  hearth.totpCode = async (...values) => {
    codes.push(await totpCode.apply(hearth, values));
    if (codes.length === 1) await hearth.advanceClock(60_000);
    return codes.at(-1);
  };
  const required = await hearth.signIn(ANN, "secret1").catch((error) => error);
  const session = await hearth.signInWithSecondFactor(required, { totpSecret: secret })
    .finally(() => {
      delete hearth.totpCode;
    });
  assert.equal(session.localId, "ann");
  // The first code was too old. The next one is that of the same period, and not a later one.
  const current = await hearth.totpCode(secret);
  assert.deepEqual(codes.slice(1), [current, current]);
  assert.notEqual(codes[0], current);
});

// Around the app

test("clock and switches", async () => {
  const clock = await hearth.setClock(new Date("2027-01-31T09:30:00Z"), { frozen: true });
  assert.equal(clock.now.toISOString(), "2027-01-31T09:30:00.000Z");
  assert.equal((await hearth.advanceClock("1h")).now.toISOString(), "2027-01-31T10:30:00.000Z");
  assert.equal((await hearth.freezeClock(false)).frozen, false);
  assert.equal((await hearth.resetClock()).offset, "PT0S");
  await hearth.setSwitches({ rateLimits: true, passwordResetCodeLifetime: 60 });
  const { rateLimits, passwordResetCodeLifetime } = await hearth.switches();
  assert.deepEqual([rateLimits, passwordResetCodeLifetime], [true, 60]);
});

test("push messages", async () => {
  const send = async (message) => {
    const answer = await fetch(
      `${hearth.url}/v1/projects/${hearth.project}/messages:send`,
      {
        method: "POST",
        headers: { "Authorization": "Bearer owner", "Content-Type": "application/json" },
        body: JSON.stringify({ message }),
      },
    );
    return answer.status;
  };
  const phone = await hearth.registerDevice({ platform: "ios", topics: ["news"], name: "Ann" });
  assert.deepEqual([phone.platform, phone.state, phone.topics], ["ios", "registered", ["news"]]);
  assert.equal(await send({ topic: "news", notification: { title: "Hi" } }), 200);
  const push = await hearth.waitForPush("topic:news");
  assert.deepEqual([push.type, push.subject, push.push.deviceCount], ["PUSH", "Hi", 1]);
  const gone = await hearth.registerDevice({ token: phone.token, state: "unregistered" });
  assert.deepEqual(gone.topics, ["news"]);
  assert.equal((await hearth.registerDevice({ language: "de_AT" })).language, "de-AT");
  assert.equal(await send({ token: phone.token }), 404);
  await refused(hearth.registerDevice({ state: "lost" }), "INVALID_ARGUMENT");
  await told(hearth.waitForPush("topic:other", { within: 10 }), /PUSH to topic:news/);
  await told(hearth.waitForSMS("+491701234567", { within: 10 }), /of type SMS/);
});

test("faults", async () => {
  await hearth.addFault("*.signUp", { error: "UNAVAILABLE" }, { times: 1 });
  await refused(hearth.signUp(ANN, "secret1"), "UNAVAILABLE");
  assert.equal((await hearth.faults())[0].hits, 1);
  await hearth.setFaults([{ operation: "*.signUp", effect: { drop: "before" } }]);
  await refused(hearth.signUp(ANN, "secret1"), "UNREACHABLE");
  await hearth.clearFaults();
  await hearth.signUp(ANN, "secret1");
  await refused(hearth.addFault("*.sinUp", { drop: "before" }), "INVALID_ARGUMENT");
});

test("snapshots", async () => {
  await hearth.setDocuments({ "things/one": { a: 1 } });
  assert.equal((await hearth.saveSnapshot("seeded")).name, "seeded");
  await hearth.deleteAllDocuments();
  await hearth.restoreSnapshot("seeded");
  assert.deepEqual(await hearth.document("things/one"), { a: 1 });
  const fork = await hearth.forkSnapshot("seeded");
  assert.deepEqual(await fork.document("things/one"), { a: 1 });
  await fork.clear();
  await hearth.deleteSnapshot("seeded");
  assert.deepEqual(await hearth.snapshots(), []);
});

test("rewind", async () => {
  await hearth.setDocuments({ "things/one": { a: 1 } });
  const first = (await hearth.requests({ operation: "*ommit" })).at(-1);
  await hearth.setDocuments({ "things/one": { a: 2 } });
  const then = await hearth.rewind(first);
  assert.equal(then.client.project, `${hearth.project}-rewind`);
  assert.deepEqual(await then.client.document("things/one"), { a: 1 });
  assert.match(then.notRebuilt.join(), /Users and mails/);
  assert.deepEqual(await hearth.document("things/one"), { a: 2 });
  const { now } = await hearth.clock();
  const same = await hearth.rewind(now, { to: `${hearth.project}-now` });
  assert.deepEqual(await same.client.document("things/one"), { a: 2 });
  await refused(hearth.rewind("1999-01-31T09:30:00Z"), "FAILED_PRECONDITION");
  for (const { client } of [then, same]) await client.clear();
});

test("a seed", async () => {
  await hearth.seed(
    "users: [{uid: ann, email: ann@example.com, password: secret1}]\n" +
      "documents: {things/one: {a: 1}}\n",
  );
  assert.equal((await hearth.signIn(ANN, "secret1")).localId, "ann");
  assert.deepEqual(await hearth.document("things/one"), { a: 1 });
});

test("values of documents", async () => {
  const values = {
    nothing: null,
    yes: true,
    number: 36,
    half: 0.5,
    text: "Ann",
    bytes: Buffer.from([0, 1]),
    born: new Date("1815-12-10T01:02:03.456Z"),
    list: [1, "a"],
    map: { a: { b: 1 } },
    friend: { $reference: "users/bob" },
    home: { $geopoint: [51.5, -0.1] },
    direction: { $vector: [1, 2] },
    none: {},
    endless: Infinity,
    long: 2n ** 60n,
  };
  await hearth.setDocuments({
    "users/ann": { ...values, missing: undefined },
    "users/ann/notes/1": { a: 1 },
  });
  assert.deepEqual(await hearth.document("users/ann"), values);
  await hearth.deleteDocument("users/ann");
  assert.deepEqual(await hearth.documents("users/ann/notes"), {});
});

test("rules", async () => {
  assert.deepEqual(await hearth.setRules(RULES), []);
  const asked = await hearth.evaluateRules("get", "users/ann", { auth: { uid: "bob" } });
  assert.equal(asked.allowed, false);
  assert.match(asked.reason, /L5/);
  assert.equal(
    (await hearth.evaluateRules("get", "users/bob", { auth: { uid: "bob" } })).allowed,
    true,
  );
  await refused(hearth.setRules("service oops"), "INVALID_ARGUMENT");
});

test("a token of App Check", async () => {
  await hearth.setSwitches({ appCheckAuth: "monitor" });
  const token = await hearth.appCheckToken("1:448618578101:web:cc6c1dc7a65cc83c");
  assert.equal(token.split(".").length, 3);
  assert.notEqual(token, await hearth.appCheckToken(undefined, { limitedUse: true }));
  await hearth.signUp(ANN, "secret1");
  const { verified, unverified, refused } = await hearth.appCheckReport();
  assert.deepEqual([verified, unverified, refused], [0, 1, 0]);
});
