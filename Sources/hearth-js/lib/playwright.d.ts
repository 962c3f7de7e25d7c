import type { TestType } from "@playwright/test";
import type { HearthClient, HearthServer } from "./index.js";

export const test: TestType<{ hearth: HearthClient }, { hearthServer: HearthServer }>;
export { expect } from "@playwright/test";
