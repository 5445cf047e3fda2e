// Says a person's turn for a client of a server, or interjects.
import { z } from "zod";
import { ConfigurationError, TurnOrderError } from "../core/error.ts";
import { interject, leaveSpeech, speakableTurn } from "./attending.ts";
import { nextEvent, type PooledRun } from "./active_run.ts";
import { dirOf, idOf } from "./convening_dir.ts";
import {
  type ClientRuns,
  ID,
  named,
  OF_CONVENING,
  type Operation,
  operation,
  type OperationContext,
} from "./operation.ts";
import { standingOutput } from "./outputs.ts";
import { liveRun, resumeForClient } from "./resume.ts";
import { standingOf } from "./standing_json.ts";

/** The words of a person: a turn that is waited for, or an interjection. */
export const sayRequest = z.strictObject({
  text: z.string().max(50_000).describe("What is said, in markdown."),
  participant: z.string().min(1).max(200).optional().describe(
    "The id or name of the participant who speaks; needed where several are waited for.",
  ),
  request: z.string().min(1).max(40).optional().describe(
    "The id of the request that is answered, as next_turn gives it.",
  ),
  interject: z.boolean().optional().describe(
    "Whether the words come from the audience, before the next turn: they are nobody's turn.",
  ),
});

/** `POST /api/convenings/{id}/say`. */
export const SAY: Operation = operation({
  name: "say",
  summary:
    "Says a person's turn that is waited for, answers a request of next_turn, or interjects.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings/{id}/say",
  writes: true,
  errors: [...OF_CONVENING, "turn_order", "busy"],
  tool: {
    title: "Say a turn, or interject",
    about:
      "Says the turn that a convening waits for (a participant whose model is human), and goes on with it where no process runs it. With `request`, the id of one of next_turn's requests, the text answers that request, in JSON where it has a schema. With `interject` the words are heard before the next turn, as the audience's; `participant` is one of `waitingFor`, or a name. Say only what the person you speak for wants said.",
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
  answers: { 202: "The words are taken." },
  async run(context: OperationContext, { id, ...request }) {
    const dir = await dirOf(context, id);
    const said = await sayForClient(context, dir, request);
    return { ...await standingOf(context, dir), ...said };
  },
});

/** The use of a client's words. */
type SaidForClient =
  /** `left`: another process runs the convening and says the turn. */
  | { readonly participant: string; readonly left: boolean }
  /** `held`: a process runs the convening, and hears the words before the next turn. */
  | { readonly interjected: true; readonly held: boolean };

/**
 * Says a person's turn, and resumes the convening where no process runs it; or interjects. Fails as `speak` and
 * `interject` do.
 */
export async function sayForClient(
  runs: Pick<ClientRuns, "pool" | "models">,
  dir: string,
  { text, participant: as, request, interject: isAside = false }: z.infer<typeof sayRequest>,
): Promise<SaidForClient> {
  if (request !== undefined) return await answerRequest(runs, dir, { text, request });
  if (isAside) {
    if (as === undefined) return { interjected: true, ...await interject(dir, text) };
    throw new ConfigurationError("Cannot use participant: an interjection is nobody's turn", {
      field: "participant",
      hint: "Leave participant out, or interject.",
    });
  }
  const { participant, run } = await listener(runs, dir, { text, as });
  if (run !== undefined) {
    run.say(participant, text);
    return { participant, left: false };
  }
  const { held } = await leaveSpeech(dir, text, { as });
  if (!held) await resumeForClient(runs, dir);
  return { participant, left: held };
}

/** Answers a request; resumes the convening where no process runs it. Fails with `turn_order` for a request that is not open. */
async function answerRequest(
  runs: Pick<ClientRuns, "pool" | "models">,
  dir: string,
  { text, request }: { readonly text: string; readonly request: string },
): Promise<SaidForClient> {
  const run = await liveRun(runs, dir);
  for (;;) {
    const last = run.feed.last;
    const open = run.requests.find(({ id }) => id === request);
    if (open !== undefined) {
      run.say(open.participant, text, request);
      return { participant: open.participant, left: false };
    }
    if (run.requests.length > 0 || run.feed.ended) {
      throw new TurnOrderError(`Cannot answer the request ${request}: it is not open`, {
        field: "request",
        hint: "next_turn gives the requests that are.",
      });
    }
    await nextEvent(run, { after: last });
  }
}

/**
 * The person whose words are waited for, and the run of this process that hears the words; none once the convening rests.
 * A run that no longer waits, since the person's time is over, is given the time to come to rest.
 */
async function listener(
  { pool }: Pick<ClientRuns, "pool">,
  dir: string,
  { text, as }: { readonly text: string; readonly as: string | undefined },
): Promise<{ readonly participant: string; readonly run: PooledRun | undefined }> {
  for (;;) {
    const last = pool.liveRun(idOf(dir))?.feed.last ?? 0;
    const { participant } = await speakableTurn(dir, text, as).catch(asParticipant);
    const run = pool.liveRun(idOf(dir));
    if (run?.state.state !== "running") return { participant, run: undefined };
    if (run.waitingFor.some((each) => each.participant === participant)) {
      return { participant, run };
    }
    await nextEvent(run, { after: last });
  }
}

/** Clients name the speaker with another key than the library. */
function asParticipant(error: unknown): never {
  if (!(error instanceof TurnOrderError) || error.field !== "as") throw error;
  const { message, hint } = error;
  throw new TurnOrderError(message, { field: "participant", hint, cause: error });
}
