/**
 * A pro/con debate as functions over one state object: validate, run, and follow each draft. The debate has an ordinary
 * record, so it can be resumed, judged again and read as markdown.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/13_pro_con_state.ts
 */
import assert from "node:assert/strict";
import { verify } from "../mod.ts";
import {
  type DebateConfig,
  type DebateState,
  initializeDebateState,
  runDebate,
  streamDebate,
  validateDebateConfig,
} from "../src/operations/pro_con.ts";

const config: DebateConfig = {
  proModelId: "offline",
  conModelId: "offline",
  proPersonaId: "engineer",
  conPersonaId: "economist",
  topicSelection: "manual",
  topicMotion: "Should cities build more tram lines?",
  totalRounds: 2,
  wordLimitPerTurn: 400,
  factCheckMode: "standard",
};
const options = { config: { seed: 1, out: Deno.args[0] ?? "convenings" } };

// Validation reports all problems at once, before the debate starts.
const wrong = initializeDebateState("debate-0", {
  ...config,
  totalRounds: 0,
  wordLimitPerTurn: 50,
});
for (const problem of validateDebateConfig(wrong)) console.log(problem);
assert.equal(validateDebateConfig(wrong).length, 2);
assert.deepEqual(validateDebateConfig(initializeDebateState("debate-1", config)), []);

// Every change gives a new state object; earlier ones stay unchanged.
const states: DebateState[] = [];
for await (const state of streamDebate("debate-1", config, options)) {
  const before = states.at(-1);
  states.push(state);
  if (state.shouldRejectTurn) console.log(`${state.currentSpeaker}: once more`);
  if (state.transcript.length === (before?.transcript.length ?? 0)) continue;
  const { side, round, wordCount, critique, speech } = state.transcript.at(-1)!;
  console.log(`\nRound ${round}, ${side}, ${wordCount} words, thought before: ${critique}`);
  console.log(speech);
}
const final = states.at(-1)!;
assert.equal(final.debateId, "debate-1");
assert.deepEqual(final.transcript.map(({ side }) => side), ["pro", "con", "pro", "con"]);
assert.equal(final.factCheckLogs.length, 4);
assert.equal(states[0]!.transcript.length, 0);

// One call runs the whole debate; its record passes `verify`.
const again = await runDebate("debate-2", config, options);
console.log(`\n${again.metadata.winner ?? "nobody"} has won; ${again.metadata.summary}`);
console.log(again.metadata.statistics);
assert.deepEqual(
  again.transcript.map(({ speech }) => speech),
  final.transcript.map(({ speech }) => speech),
);
assert.deepEqual((await verify(again.metadata.directory!)).findings, []);
