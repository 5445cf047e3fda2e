// Operations that start, resume and steer convenings.
import { z } from "zod";
import { RecordError } from "../core/error.ts";
import { MAX_PAPER_CHARACTERS } from "../core/paper.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import type { ClientRequest } from "../engine/people.ts";
import { sentConfiguration } from "./client_configuration.ts";
import {
  liveRun,
  pauseForClient,
  resumeForClient,
  resumeRequest,
  sayForClient,
  sayRequest,
  startForClient,
  suggestClient,
} from "./client_runs.ts";
import { dirOf, idOf } from "./client_view.ts";
import {
  ACTING,
  ID,
  OF_CONVENING,
  type Operation,
  operation,
  type OperationContext,
  whole,
} from "./operation.ts";
import { heldOutput, named, standingOutput } from "./outputs.ts";
import { standingOf } from "./convening_json.ts";
import { untilReleased } from "./watching.ts";

const PAPER = z.strictObject({
  id: z.string().max(64).optional().describe(
    "The id in citations; without, one made from the title.",
  ),
  title: z.string().max(500).optional().describe(
    "The title; without, the first heading or line of the text.",
  ),
  text: z.string().min(1)
    .meta({ description: "The text, markdown or plain.", maxLength: MAX_PAPER_CHARACTERS }),
});

/** Returns schemas of keys for clients that need types and pass on named keys only; the configuration's schema checks the values. */
function typed(type: string, keys: string, items?: object): Record<string, z.ZodType> {
  const schema = z.unknown().optional().meta({ type, ...items && { items } });
  return Object.fromEntries(keys.split(" ").map((key) => [key, schema]));
}

export const START: Operation = operation({
  name: "start",
  summary:
    "Starts a convening of any kind from the keys of a configuration, except keys that name " +
    "paths or addresses of the server; sources are [{name, text}], papers are paperIds.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings",
  writes: true,
  errors: ["topic_refused", "not_found", "paper_unreadable", "busy", "record_unwritable"],
  body: "config",
  tool: {
    name: "run",
    title: "Run a convening",
    about:
      'Runs a convening of any kind: debate, dialogue, consensus, paper-debate or judge-check (measures the biases of a model that judges). Gives its id at once and continues in the background (follow it with status and read_messages); with `wait` gives progress, then the result, or the state once it waits for a person. Example: {"config": {"kind": "debate", "topic": "Should cities ban private cars?", "roundCount": 2}, "wait": true}. Participants are [{name, position?, persona?, model?}], sources [{name, text}]; maxTurns is for a dialogue, question and postures for a paper-debate, quick for a judge-check.',
    input: {
      config: z.looseObject({
        ...typed("string", "kind topic model preset debateFormat question"),
        ...typed("integer", "roundCount maxTurns seed postures"),
        ...typed("array", "positions paperIds", { type: "string" }),
        ...typed("array", "participants judges sources", { type: "object" }),
        ...typed("object", "limits"),
        ...typed("boolean", "quick"),
      }).describe("The configuration; list_kinds describes every key of a kind."),
    },
    waits: "if asked",
  },
  input: z.strictObject({
    config: sentConfiguration,
    papers: z.array(PAPER).min(1).max(20).optional().describe(
      "The papers of a paper debate as text; or paperIds in the configuration.",
    ),
  }),
  output: standingOutput,
  answers: { 201: "The convening runs, or is queued." },
  location: ({ links }) => links["self"]!,
  async run(context: OperationContext, { config, papers }) {
    const run = await startForClient(context, config, papers).catch(suggestClient);
    return await standingOf(context, run.dir);
  },
});

export const RESUME: Operation = operation({
  ...ACTING,
  name: "resume",
  summary:
    "Resumes a convening that was interrupted, paused or stopped, that failed, or that waits; " +
    "settings that are given replace the recorded settings.",
  path: "/api/convenings/{id}/resume",
  errors: [...OF_CONVENING, "locked", "busy"],
  tool: {
    title: "Resume a convening",
    about:
      "Resumes a convening that was interrupted, paused, stopped or forked, or that failed; settings that are given replace the recorded ones, and nothing that was said is asked for again. A completed convening stays as it is. As run does, gives the id at once, or with `wait` the result or state.",
    waits: "if asked",
  },
  input: resumeRequest.extend({ id: ID }),
  output: standingOutput,
  answers: { 200: "The convening had completed.", 202: "The convening runs, or is queued." },
  status: ({ status }) => status === "completed" ? 200 : 202,
  async run(context: OperationContext, { id, ...request }) {
    const dir = await dirOf(context, id);
    const run = await resumeForClient(context, dir, request).catch(suggestClient);
    return await standingOf(context, run.dir);
  },
});

const turnRequest = named(
  "TurnRequest",
  z.object({
    id: z.string().describe("The id that say takes as `request`."),
    turn: z.string().describe("The key of the turn or question."),
    participant: z.string().describe("The id of the participant or judge that is asked."),
    purpose: z.enum(["turn", "question", "fold"]).describe(
      "A speech, a structured answer, or a summary of older turns.",
    ),
    attempt: z.int().describe(
      "From 1; above 1, the last answer was rejected or could not be read.",
    ),
    maxTokens: z.int().nullable().describe("The most tokens that the answer should have."),
    schema: z.record(z.string(), z.unknown()).nullable().describe(
      "The JSON schema of the answer; null for prose.",
    ),
    prompt: z.array(z.object({
      role: z.enum(["system", "user", "assistant"]),
      content: z.string(),
    })).describe("Messages for a model; participants' words in them are fenced."),
  }),
);

export const NEXT_TURN: Operation = operation({
  ...ACTING,
  name: "next_turn",
  summary: 'Gives the prompts for the model "client"; resumes a waiting or interrupted convening.',
  path: "/api/convenings/{id}/next-turn",
  errors: [...OF_CONVENING, "locked", "busy"],
  tool: {
    title: "Get the next prompts to answer",
    about:
      'Holds a convening with your own model, without a key: start it with `model: "client"` (or that model for one role), then call next_turn and answer each of its requests by say with `request` and `text`, as the messages of its `prompt` ask, in JSON where it has a `schema`. Requests of one reply may be answered in any order, or by several models at once. Waits up to `seconds` for a request; with none and the status running, call it again. The convening is over when the status is completed. A convening that waits or was interrupted continues where it was; resume continues one that was paused or stopped, or that failed.',
  },
  input: z.strictObject({
    id: ID,
    seconds: whole(0, 50, "Seconds to wait for a request.").default(20),
  }),
  output: named("NextTurn", standingOutput.extend({ requests: z.array(turnRequest) })),
  answers: { 200: "The open requests; none if the run has ended, or asks other models or people." },
  async run(context: OperationContext, { id, seconds }, call) {
    const dir = await dirOf(context, id);
    const run = await liveRun(context, dir);
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(seconds * 1000)]);
    while (run?.requests.length === 0 && !run.feed.ended && !signal.aborted) {
      await run.feed.passed(run.feed.last, signal);
    }
    return { ...await standingOf(context, dir), requests: run?.requests.map(requestJson) ?? [] };
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

export const SAY: Operation = operation({
  ...ACTING,
  name: "say",
  summary:
    "Says a person's turn that the convening waits for, answers a request of next_turn, or interjects.",
  path: "/api/convenings/{id}/say",
  errors: [...OF_CONVENING, "turn_order", "busy"],
  tool: {
    title: "Say a turn, or interject",
    about:
      "Says the turn that a convening waits for (a participant whose model is human), and resumes it if no process runs it. With `request`, the id of one of next_turn's requests, the text answers that request, in JSON where it has a schema. With `interject` the words are heard before the next turn, as the audience's. `participant` is one of `waitingFor`, or a name. Say only what the person you speak for wants said.",
  },
  input: sayRequest.extend({ id: ID }),
  output: named(
    "Said",
    standingOutput.extend({
      participant: z.string().optional().describe("The participant who speaks."),
      left: z.boolean().optional().describe("Whether another process says the turn."),
      interjected: z.literal(true).optional().describe("Present for an interjection."),
      held: z.boolean().optional().describe("Whether a process hears the interjection next."),
    }),
  ),
  answers: { 202: "The words are accepted." },
  async run(context: OperationContext, { id, ...request }) {
    const dir = await dirOf(context, id);
    const said = await sayForClient(context, dir, request);
    return { ...await standingOf(context, dir), ...said };
  },
});

const shared = {
  tags: ["convenings"],
  method: "post",
  writes: true,
  input: z.strictObject({ id: ID }),
  output: heldOutput,
  status: ({ held }: { readonly held: boolean }) => held ? 202 : 200,
} as const;

export const PAUSE: Operation = operation({
  ...shared,
  name: "pause",
  summary: "Pauses a running convening after the current turns; resume continues it.",
  path: "/api/convenings/{id}/pause",
  tool: {
    title: "Pause a convening",
    about:
      "Pauses a running convening: turns in flight finish, then the process releases the convening; resume continues it. If no process runs it, `held` is false and nothing changes.",
  },
  errors: OF_CONVENING,
  answers: { 200: "No process runs the convening.", 202: "The current turns end first." },
  async run(context: OperationContext, { id }) {
    const dir = await dirOf(context, id);
    const { held } = await pauseForClient(context, dir);
    return { ...await standingOf(context, dir), held };
  },
});

export const STOP: Operation = operation({
  ...shared,
  name: "stop",
  summary:
    "Stops a convening of this server early, or takes it out of the queue; resume continues it.",
  path: "/api/convenings/{id}/stop",
  tool: {
    title: "Stop a convening",
    about:
      "Stops a convening that this server runs, or removes it from the queue, and waits until its record is released; turns in flight are lost, and resume continues it. If no process runs it, `held` is false and nothing changes; a convening that another process runs can only be paused.",
    waits: "always",
  },
  errors: [...OF_CONVENING, "locked"],
  answers: { 200: "No process runs the convening.", 202: "The convening stops." },
  async run(context: OperationContext, { id }) {
    const dir = await dirOf(context, id);
    const ending = context.pool.liveRun(idOf(dir));
    // A resume that waits for the end of a paused run has its run only after that end.
    ending?.stop();
    const run = await context.pool.settledRun(idOf(dir)) ?? ending;
    run?.stop();
    if (run === undefined && await untilReleased(dir, { within: 0 })) {
      throw new RecordError("locked", `Cannot stop ${dir}: another process runs it`, {
        field: "id",
        hint: "Pause it, or stop it where it runs.",
      });
    }
    return { ...await standingOf(context, dir), held: run !== undefined };
  },
});
