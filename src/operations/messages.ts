// Reads messages of a convening: a page of them, one with what is kept beside it, and the fact checks.
import { z } from "zod";
import { dirOf } from "./convening_dir.ts";
import { besideJson, factJson, factOutput } from "./fact_json.ts";
import { FILTER, ID, named, type Operation, operation, PAGE, READING, whole } from "./operation.ts";
import { skipped } from "./outputs.ts";
import { factPage, messagePage, pageStamp } from "./reading_convenings.ts";
import { showBeside, showMessage } from "./showing.ts";

const message = named(
  "Message",
  factOutput("message", {
    file: z.string().describe("The file in the convening's directory."),
    previous: z.int().optional().describe("The last message that the turn had been given."),
  }),
);
/** A fact of a kind that a library adds. */
export const ownFact: z.ZodObject = named("OwnFact", factOutput("own"));
const factCheck = named("FactCheck", factOutput("fact-check"));
const next = z.int().nullable().describe("`after` of the page that follows.");
const total = z.int().min(0);

/** `GET /api/convenings/{id}/messages`. */
export const MESSAGES: Operation = operation({
  ...READING,
  name: "messages",
  summary: "Reads a page of the messages, by number; of a speaker, a round or a kind, if asked.",
  path: "/api/convenings/{id}/messages",
  input: z.strictObject({ id: ID, ...PAGE, ...FILTER }),
  output: named(
    "MessagePage",
    z.object({ messages: z.array(message), next, total, skipped }),
  ),
  stamp: async (context, { id, speaker, round, kind, ...page }) =>
    [speaker, round, kind].every((each) => each === undefined)
      ? await pageStamp(await dirOf(context, id), ["messages"], page)
      : undefined,
  async run(context, { id, ...page }) {
    const { next, total, messages, skipped } = await messagePage(await dirOf(context, id), page);
    return { messages: messages.map(factJson), next, total, skipped };
  },
});

/** `GET /api/convenings/{id}/messages/{seq}`. */
export const MESSAGE: Operation = operation({
  ...READING,
  name: "message",
  summary:
    "Reads one message, with its rejected attempts, its fact check, its evidence and facts of own kinds.",
  path: "/api/convenings/{id}/messages/{seq}",
  input: z.strictObject({
    id: ID,
    seq: whole(1, 999_999, "The message's number."),
  }),
  output: named(
    "MessageWithAttachments",
    z.object({
      message,
      ["private"]: z.record(z.string(), z.string()).nullable().describe(
        "Fields that the speaker wrote and did not say.",
      ),
      rejected: z.array(named("Rejection", factOutput("rejected"))),
      factCheck: factCheck.nullable(),
      evidence: named("Evidence", factOutput("evidence", { seq: z.int() })).nullable(),
      own: z.array(ownFact),
    }),
  ),
  async run(context, { id, seq }) {
    const dir = await dirOf(context, id);
    const { message, path: file } = await showMessage(dir, seq);
    const { ["private"]: fields, rejected, facts } = besideJson(await showBeside(dir, seq));
    return { message: { ...factJson(message), file }, ...fields, ...rejected, ...facts };
  },
});

/** `GET /api/convenings/{id}/claims`. */
export const CLAIMS: Operation = operation({
  ...READING,
  name: "claims",
  summary: "Reads a page of the fact checks, by the messages they check.",
  path: "/api/convenings/{id}/claims",
  input: z.strictObject({ id: ID, ...PAGE }),
  output: named("ClaimPage", z.object({ factChecks: z.array(factCheck), next, total })),
  stamp: async (context, { id, ...page }) =>
    await pageStamp(await dirOf(context, id), ["fact-checks"], page),
  async run(context, { id, ...page }) {
    const { facts, next, total } = await factPage(
      await dirOf(context, id),
      "fact-checks",
      page,
    );
    return { factChecks: facts.map(factJson), next, total };
  },
});
