import hearth from "./index.cjs";

export const {
  HearthClient,
  HearthError,
  HearthServer,
  SecondFactorRequired,
  customToken,
  setupHearth,
} = hearth;
