#!/usr/bin/env node
"use strict";
// The command `hearth`: runs the binary, hands signals on to it, and ends as it ends.

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { findBinary } = require("../lib/binary.cjs");

/** @type {NodeJS.Signals[]} */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];
const KEYS = ["SIGINT", "SIGHUP", "SIGQUIT"];
// How often to check that npm's shell is still there, in milliseconds.
const SHELL_CHECK = 200;

/** Whether the terminal has sent a signal to the binary too; a second one would end it at once. */
function terminalSendsToAll() {
  try {
    const fields = fs.readFileSync("/proc/self/stat", "utf8").replace(/^.*\) /s, "").split(" ");
    return fields[2] === fields[5]; // The process group, and that of the foreground.
  } catch {
    return Boolean(process.stdin.isTTY);
  }
}

/**
 * Calls `end` when the shell in which npm has started this script ends. npm passes its signals to
 * that shell, which ends without passing them on.
 */
function watchShellOfNpm(end) {
  const { npm_command: command, npm_lifecycle_event: script } = process.env;
  if (command !== "exec" && !script) return;
  const shell = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(check);
    end();
  }, SHELL_CHECK);
}

function refuse(error) {
  console.error(`hearth: ${error.message}`);
  process.exit(1);
}

function run(binary) {
  const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
  let isSignalled = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      isSignalled = true;
      if (!(KEYS.includes(signal) && terminalSendsToAll())) child.kill(signal);
    });
  }
  watchShellOfNpm(() => {
    if (!isSignalled) child.kill("SIGTERM");
  });
  child.on("error", refuse);
  child.on("exit", (status, signal) => {
    if (signal === null) process.exit(status);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

try {
  run(findBinary());
} catch (error) {
  refuse(error);
}
