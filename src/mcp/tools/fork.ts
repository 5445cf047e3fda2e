import { basename } from "@std/path";
import { fork } from "../../operations/convening.ts";
import { forkRequest } from "../../operations/fork.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";

/** Forks a convening. */
export const FORK = defineWriter({
  name: "fork",
  title: "Fork a convening",
  about:
    "Makes a new convening of the first messages of one, the last of them with other words if `edit` is given. Asks no model; resume goes on with the new one.",
  input: forkRequest.extend({ id: ID }),
  async call({ id, at, edit }, { context }) {
    const dir = await fork(await context.dirOf(id), { at, edit });
    return { data: { id: basename(dir), parent: id, at, edited: edit !== undefined } };
  },
});
