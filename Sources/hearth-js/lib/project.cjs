"use strict";
// A project on a server: what all groups of calls are built on.

const { randomUUID } = require("node:crypto");
const { setTimeout: pause } = require("node:timers/promises");
const { call } = require("./http.cjs");

const OWNER = { Authorization: "Bearer owner" };
// How long a control endpoint may be busy, in milliseconds.
const PATIENCE = 30_000;

/** The id of a project that no other test uses. */
const randomProject = () => `demo-${randomUUID().replaceAll("-", "").slice(0, 16)}`;

/** @typedef {import("./http.cjs").Content} Content */

class Project {
  /**
   * @param {string} url
   * @param {string} [project]
   */
  constructor(url, project = "demo-hearth") {
    this.url = url.includes("//") ? url : `http://${url}`;
    this.project = project;
  }

  /** The API key that selects this project; other keys select the default project. */
  get apiKey() {
    return this.project.startsWith("demo-") ? this.project : "fake-api-key";
  }

  /**
   * A call of an app.
   * @param {string} verb
   * @param {object} body
   * @param {Record<string, string>} [headers]
   */
  auth(verb, body, headers = {}, version = "v1") {
    const path = `/identitytoolkit.googleapis.com/${version}/accounts${verb}`;
    return call(this.url, "POST", path, { body, headers, query: { key: this.apiKey } });
  }

  /**
   * A call of an administrator.
   * @param {string} path
   * @param {object} body
   */
  admin(path, body) {
    const place = `/identitytoolkit.googleapis.com/v1/projects/${this.project}/${path}`;
    return call(this.url, "POST", place, { body, headers: OWNER });
  }

  /**
   * A call of a control endpoint. Some refuse with 503 what would wait too long, before anything is done.
   * With many tests on one server that is not a reason to fail: the call is made again a little later.
   * @param {string} method
   * @param {string} path
   * @param {Content} [content]
   * @returns {Promise<any>}
   */
  async control(method, path, { body, query } = {}) {
    const place = `/emulator/v1/projects/${this.project}${path}`;
    const end = performance.now() + PATIENCE;
    for (;;) {
      try {
        return await call(this.url, method, place, { body, query });
      } catch (error) {
        if (error.httpStatus !== 503 || performance.now() >= end) throw error;
      }
      await pause(20 + 80 * Math.random());
    }
  }

  /**
   * A call of Firestore, as an administrator or as a user.
   * @param {string} method
   * @param {string} path
   * @param {Content & { session?: import("./index.d.ts").Session }} [content]
   */
  firestore(method, path, { body, query, session } = {}) {
    const headers = session ? { Authorization: `Bearer ${session.idToken}` } : OWNER;
    return call(this.url, method, `/v1/${path}`, { body, query, headers });
  }
}

module.exports = { Project, randomProject };
