"use strict";

const { SecondFactorRequired, customToken } = require("./accounts.cjs");
const { HearthClient } = require("./client.cjs");
const { HearthError } = require("./http.cjs");
const { HearthServer } = require("./server.cjs");
const { setupHearth } = require("./setup.cjs");

module.exports = {
  HearthClient, HearthError, HearthServer, SecondFactorRequired, customToken, setupHearth,
};
