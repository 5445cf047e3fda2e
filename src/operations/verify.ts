// Verifies a convening's directory.
import { z } from "zod";
import { verify } from "./convening.ts";
import { conveningDir } from "./convening_dir.ts";
import { ID, named, OF_CONVENING, type Operation, operation } from "./operation.ts";
import { status } from "./outputs.ts";

/** `GET /api/convenings/{id}/verify`. */
export const VERIFY: Operation = operation({
  name: "verify",
  summary: "Checks a convening's directory against the format: hashes, references, order, pages.",
  tags: ["reading"],
  method: "get",
  path: "/api/convenings/{id}/verify",
  writes: false,
  errors: OF_CONVENING,
  input: z.strictObject({ id: ID }),
  output: named(
    "Verification",
    z.object({
      id: z.string(),
      sound: z.boolean(),
      status: status.nullable(),
      messages: z.int().min(0).describe("How many message files could be read."),
      unchecked: z.string().nullable().describe("What could not be checked, as a sentence."),
      findings: z.array(
        z.object({ path: z.string(), problem: z.string(), fix: z.string().optional() }),
      ),
    }),
  ),
  async run(context, { id }) {
    const found = await verify(await conveningDir(context.out, id), context);
    const { findings, messages, status, unchecked } = found;
    return {
      id,
      sound: findings.length === 0,
      status: status ?? null,
      messages,
      unchecked: unchecked ?? null,
      findings: findings.map(({ path, problem, fix }) => ({ path, problem, fix })),
    };
  },
});
