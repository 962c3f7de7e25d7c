"use strict";
// Where the binary is: the server that a test starts, and what the command runs.

const fs = require("node:fs");
const path = require("node:path");

/** The platforms that have a package with the binary. */
const PLATFORMS = ["linux-x64"];

/** The path of the binary: HEARTH_BINARY, else the one of the platform's package, else one in the PATH. */
function findBinary(environment = process.env) {
  const given = environment.HEARTH_BINARY;
  if (given) {
    if (!isProgram(given)) {
      throw new Error(`HEARTH_BINARY names ${given}, which is not a binary`);
    }
    return given;
  }
  const found = bundled() ?? inPath(environment.PATH ?? "");
  if (found === undefined) throw new Error(explanation());
  return found;
}

function bundled() {
  try {
    return require.resolve(`hearth-emulator-${process.platform}-${process.arch}/bin/hearth`);
  } catch {
    return undefined;
  }
}

function inPath(folders) {
  return folders
    .split(path.delimiter)
    .map((folder) => path.join(folder || ".", "hearth"))
    .find(isProgram);
}

/** Whether it can be run, and is not a launcher such as ours, which would look for a binary too. */
function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    const begin = Buffer.alloc(2);
    const descriptor = fs.openSync(file, "r");
    try {
      fs.readSync(descriptor, begin, 0, 2, 0);
    } finally {
      fs.closeSync(descriptor);
    }
    return begin.toString("latin1") !== "#!";
  } catch {
    return false;
  }
}

/** What to do if no binary was found. */
function explanation() {
  const here = `${process.platform}-${process.arch}`;
  return (
    `hearth-emulator has no binary for this machine (${here}); it has one for: ` +
    `${
      PLATFORMS.join(", ")
    }. If yours is listed, install the file of hearth-emulator-${here} too, ` +
    "which is beside that of hearth-emulator. Else build hearth from its sources, and name it " +
    "in HEARTH_BINARY or put it into the PATH; or name a server that runs already in " +
    "HEARTH_CONSOLE_URL."
  );
}

module.exports = { findBinary };
