// For Playwright: a server for each worker, a project for each test. Not tried with Playwright yet.
import { test as base } from "@playwright/test";
import hearth from "./index.cjs";

export const test = base.extend({
  hearthServer: [
    // Playwright reads the names of fixtures from this pattern.
    // deno-lint-ignore no-empty-pattern
    async ({}, use) => {
      const server = await hearth.HearthServer.find();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  hearth: async ({ hearthServer }, use) => {
    const project = hearthServer.isolatedProject();
    await use(project);
    await project.clear();
  },
});

export { expect } from "@playwright/test";
