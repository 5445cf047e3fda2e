import { basename } from "@std/path";
import { z } from "zod";
import { fork } from "../../library/convening.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";

/** Forks a convening. */
export const FORK = defineWriter({
  name: "fork",
  title: "Fork a convening",
  about:
    "Makes a new convening of the first messages of one, the last of them with other words if `edit` is given. Asks no model; resume goes on with the new one.",
  input: z.strictObject({
    id: ID,
    at: z.int().min(1).describe("The number of the last message that is taken over."),
    edit: z.string().min(1).max(100_000).optional().describe("What that message says instead."),
  }),
  async call({ id, at, edit }, { context }) {
    const dir = await fork(await context.dirOf(id), { at, edit, out: context.out });
    return { data: { id: basename(dir), parent: id, at, edited: edit !== undefined } };
  },
});
