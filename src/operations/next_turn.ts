// Gives a client the prompts that its own model is to answer.
import { z } from "zod";
import { jsonSchemaOf } from "../core/shape_words.ts";
import type { ClientRequest } from "../engine/people.ts";
import { nextEvent } from "./active_run.ts";
import { dirOf } from "./convening_dir.ts";
import {
  ID,
  named,
  OF_CONVENING,
  type Operation,
  operation,
  type OperationContext,
  whole,
} from "./operation.ts";
import { standingOutput } from "./outputs.ts";
import { liveRun } from "./resume.ts";
import { standingOf } from "./standing_json.ts";

const turnRequest = named(
  "TurnRequest",
  z.object({
    id: z.string().describe("The id that say takes as `request`."),
    turn: z.string().describe("The key of the turn or question."),
    participant: z.string().describe("The id of the participant or judge that is asked."),
    purpose: z.enum(["turn", "question", "fold"]).describe(
      "A speech, a structured answer, or a summary of older turns.",
    ),
    attempt: z.int().describe("From 1; past 1 the last answer could not stand."),
    maxTokens: z.int().nullable().describe("The tokens that the answer is asked to have."),
    schema: z.record(z.string(), z.unknown()).nullable().describe(
      "The JSON schema of the answer; null for prose.",
    ),
    prompt: z.array(z.object({
      role: z.enum(["system", "user", "assistant"]),
      content: z.string(),
    })).describe("Messages for a model; what participants said stands there in fences."),
  }),
);

/** `POST /api/convenings/{id}/next-turn`. */
export const NEXT_TURN: Operation = operation({
  name: "next_turn",
  summary: 'Gives the prompts of participants and judges whose model is "client", and resumes ' +
    "the convening where no process runs it.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings/{id}/next-turn",
  writes: true,
  errors: [...OF_CONVENING, "locked", "busy"],
  tool: {
    title: "Get the next prompts to answer",
    about:
      'Holds a convening with your own model, without a key: start it with `model: "client"` (or that model for one role), then call next_turn and answer each of its requests by say with `request` and `text`, as the messages of its `prompt` ask, in JSON where it has a `schema`. Requests of one reply may be answered in any order, or by several models at once. Waits up to `seconds` for a request; with none and the status running, call it again. It ends when the status is completed. A convening that was interrupted goes on where it was.',
  },
  input: z.strictObject({
    id: ID,
    seconds: whole(0, 50, "Seconds to wait for a request.").default(20),
  }),
  output: named("NextTurn", standingOutput.extend({ requests: z.array(turnRequest) })),
  answers: { 200: "The requests that are open; none where the run has ended, or asks others." },
  async run(context: OperationContext, { id, seconds }, call) {
    const dir = await dirOf(context, id);
    const run = await liveRun(context, dir);
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(seconds * 1000)]);
    while (run.requests.length === 0 && !run.feed.ended && !signal.aborted) {
      await nextEvent(run, { after: run.feed.last, signal });
    }
    return { ...await standingOf(context, dir), requests: run.requests.map(requestJson) };
  },
});

function requestJson(
  { id, turn, participant, request }: ClientRequest,
): z.output<typeof turnRequest> {
  const { messages, context: { purpose, attempt }, maxTokens = null, schema } = request;
  return {
    id,
    turn,
    participant,
    purpose,
    attempt,
    maxTokens,
    schema: schema === undefined ? null : { ...jsonSchemaOf(schema.type) },
    prompt: messages.map(({ role, content }) => ({ role, content })),
  };
}
