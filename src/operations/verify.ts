// Verifies a convening's directory.
import { z } from "zod";
import { verify } from "./convening.ts";
import { dirOf } from "./convening_dir.ts";
import {
  type Given,
  ID,
  named,
  OFFSET,
  type Operation,
  operation,
  pageOf,
  READING,
  whole,
} from "./operation.ts";
import { status } from "./outputs.ts";

const output = named(
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
    total: z.int().min(0).describe("How many findings there are."),
    next: z.int().nullable().describe("`offset` of the page that follows."),
  }),
);

/** Findings of a verification. */
export type Verification = Given<z.output<typeof output>>;

/** `GET /api/convenings/{id}/verify`. */
export const VERIFY: Operation = operation({
  ...READING,
  name: "verify",
  summary: "Checks a convening's directory against the format: hashes, references, order, pages.",
  path: "/api/convenings/{id}/verify",
  tool: {
    title: "Verify a convening",
    about:
      "Proves a convening's directory against its format: hashes, references, order, derived pages. Findings a page at a time, in the untrusted part, since they quote the files.",
    input: { limit: whole(1, 100, "The most findings.").default(50) },
  },
  input: z.strictObject({
    id: ID,
    offset: OFFSET,
    limit: whole(1, 100_000, "The most findings.").default(100_000),
  }),
  output,
  async run(context, { id, ...page }) {
    const found = await verify(await dirOf(context, id), context);
    const { findings, messages, status, unchecked } = found;
    const { rows, ...rest } = pageOf(findings, page);
    return {
      id,
      sound: findings.length === 0,
      status: status ?? null,
      messages,
      unchecked: unchecked ?? null,
      findings: rows.map(({ path, problem, fix }) => ({ path, problem, fix })),
      ...rest,
    };
  },
});
