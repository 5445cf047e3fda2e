// A tool for tests of agents.
import { z } from "zod";
import type { Tool } from "../../../src/core/agent.ts";

/** Looks a word up. */
export const lookUp: Tool = {
  name: "lookUp",
  description: "Looks a word up",
  parameters: z.object({ word: z.string().min(1) }),
  run: (args) => Promise.resolve(`about ${Reflect.get(Object(args), "word")}`),
};
