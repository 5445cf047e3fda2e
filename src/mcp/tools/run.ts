import { z } from "zod";
import { startForClient } from "../../operations/start.ts";
import { runReply } from "../running.ts";
import { defineWriter } from "../writer.ts";
import { WAIT } from "../tool_input.ts";

const PAPER = z.strictObject({
  id: z.string().max(64).optional(),
  title: z.string().max(500).optional(),
  text: z.string().min(1),
});

/** Runs a convening. */
export const RUN = defineWriter({
  name: "run",
  title: "Run a convening",
  about:
    'Holds a convening of any kind: debate, dialogue, consensus or paper-debate. Gives its id at once and goes on in the background (follow it with status and read_messages), or with `wait` its result, or where it stands once a person is to speak, and progress meanwhile. Example: {"config": {"kind": "debate", "topic": "Should cities ban private cars from their centres?", "roundCount": 2}, "wait": true}. Keys besides: model, participants [{name, position?, persona?, model?}], positions, judges, preset, debateFormat, seed, limits, maxTurns (dialogue), question and postures (paper-debate), sources [{name, text}]. An unknown key is refused, with those that are allowed.',
  input: z.strictObject({
    config: z.looseObject({
      // What they may be is for the configuration's own schema to say.
      kind: z.unknown().optional().describe("debate, dialogue, consensus or paper-debate."),
      topic: z.unknown().optional().describe("10 to 200 characters; what it is about."),
    }).describe("The configuration; the resource convening://schema/configuration says every key."),
    papers: z.array(PAPER).min(1).max(20).optional().describe(
      "Of a paper-debate: the papers that are debated, as text or markdown; or name posted ones under paperIds in config.",
    ),
    wait: WAIT,
  }),
  async call({ config, papers, wait }, call, runs) {
    const run = await startForClient(runs, config, papers);
    return await runReply(run, { runs, call, wait });
  },
});
