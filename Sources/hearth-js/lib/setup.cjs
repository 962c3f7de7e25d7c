"use strict";
// A project for each test, in the hooks of a test runner.

const { HearthClient } = require("./client.cjs");
const { HearthServer } = require("./server.cjs");
const { randomProject } = require("./project.cjs");

/** How many milliseconds a server may take to start or to stop. Jest's own five seconds are few. */
const PATIENCE = 60_000;

/** @typedef {(...names: unknown[]) => unknown} Work */

/**
 * The hooks of Jest, or of another runner with the same global functions; else those of node:test.
 * @returns {import("./index.d.ts").Hooks}
 */
function hooksOfRunner() {
  const { beforeAll, afterAll, beforeEach, afterEach } = /** @type {any} */ (globalThis);
  if (typeof beforeAll === "function") {
    return {
      beforeAll: (work) => beforeAll(work, PATIENCE),
      afterAll: (work) => afterAll(work, PATIENCE),
      beforeEach,
      afterEach,
    };
  }
  const runner = require("node:test");
  return {
    beforeAll: runner.before,
    afterAll: runner.after,
    beforeEach: (/** @type {Work} */ work) => runner.beforeEach((test) => work(nameOf(test))),
    afterEach: (/** @type {Work} */ work) => runner.afterEach((test) => work(nameOf(test))),
  };
}

/** The name of a test with those of its suites, where this version of Node tells it. */
const nameOf = (test) => test?.fullName;

/** The client of the project that the running test has. */
class HearthOfTest extends HearthClient {
  #server;
  /**
   * Tests that run: their names, where the runner tells them, and their projects.
   * @type {{ name: string | undefined, project: string, isShared: boolean }[]}
   */
  #running = [];
  /** @type {string | undefined} */
  #last;

  constructor() {
    super("");
  }

  get server() {
    if (!this.#server) throw new Error("setupHearth(): the server starts before the first test");
    return this.#server;
  }

  // @ts-expect-error Project has a property here, which this accessor hides.
  get url() {
    return this.server.url;
  }

  // The server decides; Project sets one when it is made.
  set url(_) {}

  // @ts-expect-error As url.
  get project() {
    if (this.#running.some((test) => test.isShared)) {
      throw new Error(
        "setupHearth(): tests of this file run side by side, and cannot share hearth: use " +
          "hearth.isolatedProject() in each of them",
      );
    }
    if (!this.#last) {
      throw new Error(
        "setupHearth(): each test has a project of its own, so hearth.project and hearth.apiKey are " +
          "there in tests and in beforeEach",
      );
    }
    return this.#last;
  }

  // Each test has its own; Project sets one when it is made.
  set project(_) {}

  use(server) {
    this.#server = server;
  }

  /**
   * A test begins. A name is that of the suites and tests around it, and its own.
   * @param {string | undefined} name
   */
  begin(name) {
    const test = { name, project: randomProject(), isShared: false };
    for (const other of this.#running) {
      // A subtest runs within its test.
      if (!name || !other.name || name.startsWith(`${other.name} > `)) continue;
      other.isShared = true;
      test.isShared = true;
    }
    this.#running.push(test);
    this.#last = test.project;
  }

  /**
   * The test of that name has ended: returns its project.
   * @param {string | undefined} name
   */
  end(name) {
    let index = this.#running.findLastIndex((test) => test.name === name);
    if (index < 0) index = this.#running.length - 1;
    const [test] = this.#running.splice(index, 1);
    const outer = this.#running.at(-1);
    if (outer) this.#last = outer.project;
    return test?.project;
  }

  /** The project of the test that began last, while it runs. */
  get current() {
    return this.#running.at(-1)?.project;
  }
}

/**
 * Sets variables, and returns what takes them back.
 * @param {Record<string, string>} variables
 */
function setEnvironment(variables) {
  const before = Object.keys(variables).map((name) => ({ name, value: process.env[name] }));
  Object.assign(process.env, variables);
  return () => {
    for (const { name, value } of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** What the hooks of node:test pass; those of other runners pass nothing, or something else. */
const nameIn = (/** @type {unknown[]} */ [name]) => (typeof name === "string" ? name : undefined);

/** What tells SDKs the project. */
const variablesOf = (project) => ({
  GCLOUD_PROJECT: project,
  GOOGLE_CLOUD_PROJECT: project,
  FIREBASE_CONFIG: JSON.stringify({ projectId: project }),
});

function setupHearth(options = {}, hooks = hooksOfRunner()) {
  const hearth = new HearthOfTest();
  // Undefined if the start has failed. The runner reports that, and calls the other hooks all the
  // same.
  let server;
  let undoServer;
  let undoProject;
  const setProject = () => {
    undoProject?.();
    undoProject = hearth.current && setEnvironment(variablesOf(hearth.current));
  };
  hooks.beforeAll(async () => {
    server = await HearthServer.find(options);
    hearth.use(server);
    undoServer = setEnvironment(server.environment);
  });
  // Jest takes a hook with a parameter for one that calls back.
  hooks.beforeEach((...names) => {
    hearth.begin(nameIn(names));
    setProject();
  });
  hooks.afterEach(async (...names) => {
    const project = hearth.end(nameIn(names));
    setProject();
    if (server && project) await new HearthClient(server.url, project).clear();
  });
  hooks.afterAll(async () => {
    undoServer?.();
    await server?.stop();
  });
  return hearth;
}

module.exports = { setupHearth };
