"use strict";

const { SecondFactorRequired, customToken } = require("./accounts.cjs");
const { HearthClient } = require("./client.cjs");
const { HearthError } = require("./http.cjs");
const { HearthServer } = require("./server.cjs");
const { setupHearth } = require("./setup.cjs");

/**
 * What `index.d.ts` declares is what is here. It keeps the initialisers of servers and errors to itself.
 * @type {Omit<typeof import("./index.d.ts"), "HearthServer" | "HearthError">}
 */
const declared = { HearthClient, SecondFactorRequired, customToken, setupHearth };

module.exports = {
  ...declared,
  HearthError,
  HearthServer,
};
