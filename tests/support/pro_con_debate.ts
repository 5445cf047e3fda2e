// Configuration and servers of a debate through the pro/con functions (`streamDebate`).
import { memoryRecord } from "../../mod.ts";
import { type DebateConfig, type DebateState, streamDebate } from "../../src/operations/pro_con.ts";
import { type ModelServer, startModelServer } from "./model_server.ts";
import { type SearchAnswer, startSearchServer } from "./search_server.ts";
import { MODEL } from "./speaking_model.ts";

export const MOTION = "Should cities ban private cars from their centres?";

/** A caller's configuration: models and topic by id. */
export const CONFIG: DebateConfig = {
  proModelId: MODEL,
  conModelId: MODEL,
  topicSelection: "manual",
  topicId: MOTION,
  totalRounds: 3,
  wordLimitPerTurn: 500,
  factCheckMode: "standard",
};

/** Returns a speech of allowed length that shares no words with other numbers. */
function speech(number: number): string {
  const words = Array.from({ length: 210 }, (_, i) => `word${number}x${i}`);
  return `Cities with cars say ${words.join(" ")}.`;
}

/** Starts a model server whose speeches differ and have one claim each; verdicts of claims follow the search results. */
export async function startModels(): Promise<ModelServer> {
  return await startModelServer({
    respond: ({ body }, index) => {
      const prompt = body.messages.map(({ content }) => content).join("\n");
      switch (body.response_format?.json_schema?.name) {
        case "reflected_turn":
          return {
            json: {
              reflection: `Secret thought ${index}.`,
              critique: `Secret weakness ${index}.`,
              speech: speech(index),
            },
          };
        case "claims": {
          const quote = /<statement>\n(Cities with cars say (word\d+x0))/.exec(prompt);
          const claim = { quote: quote?.[1], text: `Centres lose trade, says ${quote?.[2]}.` };
          return { json: { claims: [claim] } };
        }
        case "claim_verdict": {
          const verdict = prompt.includes("contradicts") ? "false" : "true";
          return {
            json: { reason: "By result 1.", verdict, omitted: "", confidence: 0.9, sources: [1] },
          };
        }
        default:
          return {};
      }
    },
  });
}

/** Runs a debate of one round between two models; look-ups of claims get `answers`. */
export async function checkedDebate(
  factCheckMode: DebateConfig["factCheckMode"],
  answers: readonly SearchAnswer[],
): Promise<{ states: DebateState[]; last: DebateState; searches: number }> {
  await using search = await startSearchServer({ answers: { centres: answers } });
  await using models = await startModels();
  const states = await Array.fromAsync(streamDebate("d-1", {
    ...CONFIG,
    proModelId: "model-pro-123",
    conModelId: "model-con-456",
    totalRounds: 1,
    factCheckMode,
  }, {
    record: memoryRecord(),
    config: { baseUrl: models.url, factCheck: { searchUrl: search.url } },
  }));
  return { states, last: states.at(-1)!, searches: search.requests.length };
}
