// A debate with all optional parts switched on, and the agent that speaks for all its roles.
import type { Agent, DebateWorkflowConfig } from "../../mod.ts";
import type { AgentReply, AgentRequest } from "../../src/core/agent.ts";
import { AgentError } from "../../src/core/error.ts";
import type { Searcher } from "../../src/core/search.ts";
import { MODEL, speakingAgent } from "./speaking_model.ts";
import { bodyOf } from "./talkers.ts";
import { memoryHost, runIn } from "../engine/support/killed_runs.ts";

/** The speaking model with claims in its speeches; can fail. */
export class Everyone implements Agent {
  readonly model = MODEL;
  readonly #writer = speakingAgent();
  readonly #fails: (request: AgentRequest) => boolean;

  constructor(fails: (request: AgentRequest) => boolean = () => false) {
    this.#fails = fails;
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const { key, kind, data } = request.context;
    if (this.#fails(request)) {
      throw new AgentError("agent_unreachable", "Cannot reach anybody");
    }
    const reply = await this.#writer.reply(request);
    if (kind === "claims" || kind === "notes") {
      const quote = bodyOf(request.context);
      return {
        ...reply,
        text: JSON.stringify({
          points: [{ quote, text: `Point of ${key}`, kind: "new", answers: [] }],
          claims: [{ quote, text: `Claim of ${key}` }],
        }),
      };
    }
    if (kind === "claim_verdict") {
      const { claim } = data as { claim: string };
      const verdict = claim.includes("/4/") ? "false" : "true";
      return {
        ...reply,
        text: JSON.stringify({
          reason: "So the page says.",
          verdict,
          confidence: 0.9,
          sources: [1],
        }),
      };
    }
    return reply;
  }
}

const library: Searcher = {
  name: "webSearch",
  search: (query) =>
    Promise.resolve([{
      title: "A page",
      url: "https://example.org/page",
      snippet: `What is known of ${query}`,
    }]),
};

/** Configuration of a debate with all options. */
export const EVERYTHING = {
  roundCount: 1,
  turnForm: "rcr",
  interruptions: "both",
  adaptive: true,
  flow: true,
  baseline: true,
  audience: [{ name: "Mira" }, { name: "Noor" }],
  decision: "audience",
  factCheck: { mode: "standard" },
  searchers: [library],
  guards: { persona: "warn" },
  words: { min: 200, max: 260 },
  argumentMaxTokens: 1200,
} satisfies DebateWorkflowConfig;

/** Creates a host in which one agent speaks for all roles, fact checker and audience included. */
export function heldBy(
  files: Parameters<typeof runIn>[0],
  dir: string | undefined,
  { agent, ...config }: DebateWorkflowConfig & { readonly agent: Agent },
): ReturnType<typeof runIn> {
  return runIn(files, dir, { agent, host: { ...memoryHost, agent: () => agent }, ...config });
}
