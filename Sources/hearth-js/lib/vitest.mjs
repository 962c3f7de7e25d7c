// For Vitest. Not tried with a runner of Vitest yet.
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import hearth from "./index.cjs";

export const setupHearth = (options) =>
  hearth.setupHearth(options, { beforeAll, afterAll, beforeEach, afterEach });
