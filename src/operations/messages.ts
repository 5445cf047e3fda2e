// Operations that read a convening: its state, and its facts: messages with attachments, fact checks, scores, verdicts, facts of own kinds.
import { z } from "zod";
import { compareTexts, type JsonObject } from "../core/values.ts";
import { conveningDir, dirOf } from "./client_view.ts";
import {
  FILTER,
  ID,
  OFFSET,
  OFFSET_PAGE,
  type Operation,
  operation,
  PAGE,
  pageOf,
  READING,
  whole,
} from "./operation.ts";
import { conveningOutput, count, known, named, skipped } from "./outputs.ts";
import {
  factPage,
  type MessageAttachments,
  messagePage,
  readAttachments,
  showMessage,
  verdictsOf,
} from "./reading_convenings.ts";
import { conveningJson, factJson, factOutput, readConvening } from "./convening_json.ts";

interface AttachmentsJson {
  readonly private: Readonly<Record<string, string>> | null;
  readonly rejected: readonly JsonObject[];
  readonly factCheck: JsonObject | null;
  readonly evidence: JsonObject | null;
  readonly own: readonly JsonObject[];
}

export function attachmentsJson(
  { draft, rejected, factCheck, evidence, own }: MessageAttachments,
): AttachmentsJson {
  return {
    ["private"]: draft?.fields ?? null,
    rejected: rejected.map(factJson),
    factCheck: factCheck === undefined ? null : factJson(factCheck),
    evidence: evidence === undefined ? null : factJson(evidence),
    own: own.map(factJson),
  };
}

const message = named(
  "Message",
  factOutput("message", {
    file: z.string().describe("The file in the convening's directory."),
    previous: z.int().optional().describe("The last message that the turn's prompt could show."),
  }),
);
const score = named("Score", factOutput("score"));
const ownFact = named("OwnFact", factOutput("own"));
const factCheck = named("FactCheck", factOutput("fact-check"));
const verdicts = z.array(named("Verdict", factOutput("verdict")));
const more = {
  next: z.int().nullable().describe("`after` of the page that follows."),
  total: count,
};

export const SHOW: Operation = operation({
  ...READING,
  name: "show",
  summary: "Shows a convening: its state and its result, without long texts.",
  path: "/api/convenings/{id}",
  input: z.strictObject({ id: ID }),
  output: conveningOutput,
  run: async (context, { id }) => await conveningJson(context, await dirOf(context, id)),
});

export const MESSAGES: Operation = operation({
  ...READING,
  name: "messages",
  summary: "Reads a page of the messages, by number; of a speaker, a round or a kind, if asked.",
  path: "/api/convenings/{id}/messages",
  input: z.strictObject({ id: ID, ...PAGE, ...FILTER }),
  output: named("MessagePage", z.object({ messages: z.array(message), ...more, skipped, known })),
  async run(context, { id, ...page }) {
    const { messages, ...rest } = await messagePage(await dirOf(context, id), page);
    return { messages: messages.map(factJson), ...rest };
  },
});

export const MESSAGE: Operation = operation({
  ...READING,
  name: "message",
  summary:
    "Reads one message, with its rejected attempts, its fact check, its evidence, facts of custom kinds and its scores.",
  path: "/api/convenings/{id}/messages/{seq}",
  input: z.strictObject({ id: ID, seq: whole(1, 999_999, "The message's number.") }),
  output: named(
    "MessageWithAttachments",
    z.object({
      message,
      ["private"]: z.record(z.string(), z.string()).nullable().describe(
        "Fields that the speaker wrote in private.",
      ),
      rejected: z.array(named("Rejection", factOutput("rejected"))),
      factCheck: factCheck.nullable(),
      evidence: named("Evidence", factOutput("evidence", { seq: z.int() })).nullable(),
      own: z.array(ownFact),
      scores: z.array(score),
    }),
  ),
  async run(context, { id, seq }) {
    const dir = await dirOf(context, id);
    const { message, path: file } = await showMessage(dir, seq);
    const beside = await readAttachments(dir, seq);
    const scores = beside.scores.map(factJson);
    return { message: { ...factJson(message), file }, ...attachmentsJson(beside), scores };
  },
});

export const CLAIMS: Operation = operation({
  ...READING,
  name: "claims",
  summary: "Reads a page of the fact checks, by the messages they check.",
  path: "/api/convenings/{id}/claims",
  input: z.strictObject({ id: ID, ...PAGE }),
  output: named("ClaimPage", z.object({ factChecks: z.array(factCheck), ...more })),
  async run(context, { id, ...page }) {
    const { facts, ...rest } = await factPage(await dirOf(context, id), "fact-check", page);
    return { factChecks: facts.map(factJson), ...rest };
  },
});

export const SCORES: Operation = operation({
  ...READING,
  name: "scores",
  summary: "Reads a page of the scores, by the messages they are of, and every verdict.",
  path: "/api/convenings/{id}/scores",
  input: z.strictObject({ id: ID, ...PAGE }),
  output: named(
    "ScorePage",
    z.object({ scores: z.array(score), verdicts, ...more }),
  ),
  async run(context, { id, ...page }) {
    const dir = await dirOf(context, id);
    const { facts, ...rest } = await factPage(dir, "score", page);
    const judged = await verdictsOf(dir);
    return { scores: facts.map(factJson), verdicts: judged.map(factJson), ...rest };
  },
});

export const VERDICTS: Operation = operation({
  ...READING,
  name: "verdicts",
  summary: "Reads every verdict of the judges.",
  path: "/api/convenings/{id}/verdicts",
  input: z.strictObject({ id: ID }),
  output: named("Verdicts", z.object({ verdicts })),
  run: async (context, { id }) => ({
    verdicts: (await verdictsOf(await dirOf(context, id))).map(factJson),
  }),
});

export const FACTS: Operation = operation({
  ...READING,
  name: "facts",
  summary: "Reads a page of the facts of kinds that a library adds, by message, kind and key.",
  path: "/api/convenings/{id}/facts",
  input: z.strictObject({
    id: ID,
    kind: z.string().max(200).optional().describe("Only facts of this kind."),
    offset: OFFSET,
    limit: whole(1, 200, "The most facts of a page.").default(50),
  }),
  output: named("OwnFactPage", z.object({ facts: z.array(ownFact), ...OFFSET_PAGE })),
  tool: {
    name: "read_facts",
    title: "Read facts of custom kinds",
    about:
      "What programs observed in a convening and recorded, such as measures of each message: " +
      "facts of kinds that the server's library adds (see list_kinds), a page at a time.",
  },
  async run({ out }, { id, kind, ...page }) {
    const { facts } = await readConvening(await conveningDir(out, id));
    const own = facts.filter((fact) => fact.type === "own")
      .filter((fact) => kind === undefined || fact.kind === kind)
      .sort((a, b) =>
        a.message - b.message || compareTexts(a.kind, b.kind) || compareTexts(a.key, b.key)
      );
    const { rows, ...rest } = pageOf(own, page);
    return { facts: rows.map(factJson), ...rest };
  },
});
