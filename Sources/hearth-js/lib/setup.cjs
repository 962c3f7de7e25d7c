"use strict";
// A project for each test, in the hooks of a test runner.

const { HearthClient } = require("./client.cjs");
const { HearthServer } = require("./server.cjs");
const { randomProject } = require("./project.cjs");

/** How many milliseconds a server may take to start or to stop. Jest's own five seconds are few. */
const PATIENCE = 60_000;

/** The hooks of Jest, or of another runner with the same global functions; else those of node:test. */
function hooksOfRunner() {
  const { beforeAll, afterAll, beforeEach, afterEach } = globalThis;
  if (typeof beforeAll === "function") {
    return {
      beforeAll: (work) => beforeAll(work, PATIENCE), afterAll: (work) => afterAll(work, PATIENCE),
      beforeEach, afterEach,
    };
  }
  const runner = require("node:test");
  return {
    beforeAll: runner.before, afterAll: runner.after,
    beforeEach: runner.beforeEach, afterEach: runner.afterEach,
  };
}

/** The client of the project that the running test has. */
class HearthOfTest extends HearthClient {
  #server;

  constructor() {
    super("", "demo-none");
  }

  get server() {
    if (!this.#server) throw new Error("setupHearth(): the server starts before the first test");
    return this.#server;
  }

  get url() {
    return this.server.url;
  }

  // The server decides; Project sets one when it is made.
  set url(_) {}

  use(server) {
    this.#server = server;
  }
}

/** Sets variables, and returns what takes them back. */
function setEnvironment(variables) {
  const before = Object.keys(variables).map((name) => [name, process.env[name]]);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

function setupHearth(options = {}, hooks = hooksOfRunner()) {
  const hearth = new HearthOfTest();
  const undo = [];
  // Undefined if the start has failed. The runner reports that, and calls the other hooks all the
  // same.
  let server;
  hooks.beforeAll(async () => {
    server = await HearthServer.find(options);
    hearth.use(server);
    undo.push(setEnvironment(server.environment));
  });
  hooks.beforeEach(() => {
    hearth.project = randomProject();
    undo.push(setEnvironment({
      GCLOUD_PROJECT: hearth.project, GOOGLE_CLOUD_PROJECT: hearth.project,
      FIREBASE_CONFIG: JSON.stringify({ projectId: hearth.project }),
    }));
  });
  hooks.afterEach(async () => {
    undo.pop()?.();
    if (server) await hearth.clear();
  });
  hooks.afterAll(async () => {
    undo.pop()?.();
    await server?.stop();
  });
  return hearth;
}

module.exports = { setupHearth };
