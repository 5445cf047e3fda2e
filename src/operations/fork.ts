// Forks a convening for a client of a server.
import { basename } from "@std/path";
import { z } from "zod";
import { fork } from "./convening.ts";
import { dirOf } from "./convening_dir.ts";
import { ID, linksOf, named, OF_CONVENING, type Operation, operation } from "./operation.ts";
import { links } from "./outputs.ts";

/** `POST /api/convenings/{id}/fork`. */
export const FORK: Operation = operation({
  name: "fork",
  summary: "Makes a new convening of the first messages; resume continues it.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings/{id}/fork",
  writes: true,
  errors: [...OF_CONVENING, "record_unwritable"],
  tool: {
    title: "Fork a convening",
    about:
      "Makes a new convening of the first messages of one, the last of them with other words if `edit` is given. Asks no model; resume goes on with the new one.",
  },
  input: z.strictObject({
    id: ID,
    at: z.int().min(1).describe("The number of the last message that is taken over."),
    edit: z.string().min(1).max(100_000).optional().describe("What that message says instead."),
  }),
  output: named(
    "Fork",
    z.object({
      id: z.string(),
      parent: z.string().describe("The id of the convening that was forked."),
      at: z.int(),
      edited: z.boolean(),
      links,
    }),
  ),
  answers: { 201: "The new convening." },
  location: ({ links }) => links["self"]!,
  async run(context, { id: parent, at, edit }) {
    const id = basename(await fork(await dirOf(context, parent), { at, edit, out: context.out }));
    return { id, parent, at, edited: edit !== undefined, links: linksOf(id) };
  },
});
