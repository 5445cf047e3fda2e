// Fact checker and dialogues with fact checks, for tests.
import {
  type Agent,
  createParticipant,
  type DialogueWorkflow,
  type Message,
} from "../../../mod.ts";
import type {
  AgentRequest,
  DialogueOptions,
  FactCheck,
  LookUp,
  MemoryRecord,
  Rejection,
} from "../../../protocol.ts";
import type { Searcher } from "../../../src/core/search.ts";
import { webSearch } from "../../../src/checking/searchers.ts";
import type { SearchServer } from "../../support/search_server.ts";
import {
  called,
  dialogueOf,
  drain,
  type Drained,
  type Say,
  Talker,
} from "../../support/talkers.ts";

/** Data in a fact checker's prompt. */
interface CheckerData {
  readonly body: string;
  readonly max: number;
  readonly hits: readonly { readonly snippet: string }[];
}

/**
 * Returns a rule-based fact checker: claims are the sentences that begin with "Fact:"; a snippet with "contradicts" makes
 * a claim false, one with "confirms" true, any other leaves it open. A reply from `say` replaces the usual one.
 */
export function checkerAgent(say: Say = () => undefined, model = "ollama:checker"): Talker {
  return new Talker(async (request) => await say(request) ?? { text: usual(request) }, model);
}

function usual({ context }: AgentRequest): string {
  const { body = "", max = 0, hits = [] } = context.data as Partial<CheckerData>;
  if (context.kind === "claims") {
    const claims = [...body.matchAll(/Fact: ([^.]+\.)/g)].slice(0, max);
    return JSON.stringify({ claims: claims.map(([, text]) => ({ quote: text, text })) });
  }
  const at = (word: string) => hits.findIndex(({ snippet }) => snippet.includes(word)) + 1;
  const [wrong, right] = [at("contradicts"), at("confirms")];
  return JSON.stringify({
    reason: "The results settle it.",
    verdict: wrong > 0 ? "false" : right > 0 ? "true" : "unverifiable",
    confidence: 0.8,
    sources: [wrong || right].filter((number) => number > 0),
  });
}

/** Returns a searcher for a local server, without retries. */
export function searchOf(server: SearchServer): Searcher {
  return webSearch({ baseUrl: server.url, retries: 0 });
}

/** Creates a dialogue of Ada and Ben whose turns `checker` checks. */
export function checkedDialogue(
  agent: Agent,
  checker: Agent,
  options: DialogueOptions = {},
): { workflow: DialogueWorkflow; record: MemoryRecord } {
  const vera = createParticipant({ name: "Vera", role: "fact_checker" }, checker);
  return dialogueOf(agent, {
    participants: [...called(agent, "Ada", "Ben"), vera],
    maxTurns: 2,
    retry: { retries: 0 },
    guards: { repetition: "off", coherence: "off" },
    ...options,
  });
}

/** Returns the facts of fact checks in a run's events. */
export function found(
  { events }: Drained<unknown>,
): { checks: FactCheck[]; lookups: LookUp[]; rejections: Rejection[]; messages: Message[] } {
  return {
    checks: events.flatMap((event) => event.type === "fact-check" ? [event.factCheck] : [])
      .toSorted((a, b) => a.message - b.message),
    lookups: events.flatMap((event) => event.type === "lookup" ? [event.lookup] : []),
    rejections: events.flatMap((event) => event.type === "turn-reject" ? [event.rejection] : []),
    messages: events.flatMap((event) => event.type === "message" ? [event.message] : []),
  };
}

/** Runs a checked dialogue. */
export async function checked(
  ...dialogue: Parameters<typeof checkedDialogue>
): Promise<ReturnType<typeof found>> {
  return found(await drain(checkedDialogue(...dialogue).workflow));
}
