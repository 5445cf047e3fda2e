// Golden files of prompts: every request of one convening of each kind, as a local model server received it.
import {
  type Agent,
  type ConveningConfig,
  createLibrary,
  createOpenAIAgent,
  folderRecord,
  memoryRecord,
} from "../../mod.ts";
import type { AgentRequest, Source } from "../../protocol.ts";
import type { ChatBody, ModelReply } from "./model_reply.ts";
import type { ModelRequest } from "./model_server.ts";
import { MODEL, startSpeaker } from "./speaking_model.ts";
import { PAPER } from "./golden_runs.ts";

const TOPIC = "Should cities ban private cars from their centres?";
const SOURCE: Source = {
  name: "streets.md",
  text: [
    "Narrow streets change slowly: planners promised streets without cars half as many accidents.",
    "Delivery vans and bus lanes: shops in the centre lost a tenth of their sales in a year.",
  ].join("\n\n"),
};

const COMMON = { topic: TOPIC, model: "spoken:model", seed: 1 } as const;
const DEBATE = { ...COMMON, kind: "debate", roundCount: 1 } as const;
const SPEAKERS = [{ name: "Ada" }, { name: "Ben" }];

/** Configurations whose requests are kept, by file name. */
const CONVENINGS: Readonly<Record<string, ConveningConfig>> = {
  debate: {
    ...DEBATE,
    judges: [{ name: "Jo" }, { name: "Kim" }],
    factCheck: { mode: "standard", maxClaims: 2 },
  },
  "debate-audience": {
    ...DEBATE,
    exchange: "statements",
    moderation: "model",
    audience: [{ name: "Mira" }],
    baseline: true,
    adaptive: true,
    interruptions: "rules",
    turnForm: "rcr",
  },
  "debate-alternating": { ...DEBATE, preset: "alternating", roundCount: 4 },
  "dialogue-bids": { ...COMMON, kind: "dialogue", maxTurns: 3, select: "bids" },
  "dialogue-moderator": {
    ...COMMON,
    kind: "dialogue",
    maxTurns: 3,
    select: "moderator",
    participants: [...SPEAKERS, { name: "Cleo" }],
    maxPromptTokens: 500,
  },
  consensus: { ...COMMON, kind: "consensus", participants: SPEAKERS, limits: { maxTurns: 6 } },
  "paper-debate": {
    kind: "paper-debate",
    papers: ["paper.md"],
    model: "spoken:model",
    seed: 1,
    pick: 1,
    postures: 2,
    crossExamine: true,
  },
};

/** Returns the requests of every convening as markdown, by path. */
export async function promptFiles(): Promise<Map<string, string>> {
  const folder = await Deno.makeTempDir();
  try {
    const paper = `${folder}/paper.md`;
    await Deno.writeTextFile(paper, PAPER);
    const files = new Map<string, string>();
    for (const [name, config] of Object.entries(CONVENINGS)) {
      const given = config.kind === "paper-debate" ? { ...config, papers: [paper] } : config;
      files.set(`${name}.md`, await requestsOf(given));
    }
    files.set("record.md", await requestsAbout(folder));
    return new Map([...files].sort());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the requests for briefs and for an answer about a finished debate. */
async function requestsAbout(folder: string): Promise<string> {
  await using server = await startSpeaker(claimed);
  const spoken = createOpenAIAgent({ model: MODEL, name: "model", baseUrl: server.url });
  const library = createLibrary({ agents: { spoken: () => spoken } });
  const workflow = await library.composeConvening(CONVENINGS["debate"]!, {
    record: folderRecord({ out: `${folder}/archive` }),
    sources: [SOURCE],
  });
  const { dir } = await workflow.run();
  const before = server.requests.length;
  for (const as of ["memo", "adr", "questions"] as const) await library.writeBrief(dir!, { as });
  await library.askConvening(dir!, "What do planners promise?", { model: "spoken:model" });
  const asked = server.requests.slice(before).map(({ body }) => body);
  const systems = [...new Set(asked.map(({ messages }) => messages[0]!.content ?? ""))];
  return [
    ...systems.map((text, index) => `# Beginning ${index + 1}\n\n${text}`),
    ...asked.map((body) => requestText(body.response_format!.json_schema!.name, body, systems)),
  ].join("\n\n") + "\n";
}

/** Returns the requests of a convening, ordered by key. */
async function requestsOf(config: ConveningConfig): Promise<string> {
  await using server = await startSpeaker(claimed);
  const keys = new Map<string, string>();
  const speaking = createOpenAIAgent({ model: MODEL, name: "model", baseUrl: server.url });
  const spoken: Agent = {
    ...speaking,
    reply(request) {
      const key = `${request.context.key}, attempt ${request.context.attempt}`;
      const known = keys.get(bodyKey(request));
      // Equal requests come in any order.
      if (known === undefined || key < known) keys.set(bodyKey(request), key);
      return speaking.reply(request);
    },
  };
  const library = createLibrary({ agents: { spoken: () => spoken } });
  const workflow = await library.composeConvening(config, {
    record: memoryRecord(),
    sources: config.kind === "debate" ? [SOURCE] : [],
  });
  await workflow.run();
  const asked = server.requests.map(({ body }) => ({
    key: keys.get(bodyKey(body)) ?? `after tools: ${body.messages.length} messages`,
    body,
  })).sort((a, b) => a.key < b.key ? -1 : Number(a.key > b.key));
  const systems = [...new Set(asked.map(({ body }) => body.messages[0]!.content ?? ""))];
  return [
    ...systems.map((text, index) => `# Beginning ${index + 1}\n\n${text}`),
    ...asked.map(({ key, body }) => requestText(key, body, systems)),
  ].join("\n\n") + "\n";
}

function requestText(key: string, body: ChatBody, systems: readonly string[]): string {
  const { messages: [first, ...messages], max_tokens: most, temperature } = body;
  const asked = [
    `beginning ${systems.indexOf(first!.content ?? "") + 1}`,
    `tokens ${most ?? "unbounded"}`,
    ...temperature === undefined ? [] : [`temperature ${temperature}`],
    ...body.response_format === undefined
      ? []
      : [`answer ${body.response_format.json_schema?.name}`],
  ];
  return [
    `# ${key}`,
    asked.join(", "),
    ...messages.map(({ role, content }) => `## ${role}\n\n${content}`),
  ].join("\n\n");
}

/** Words of both closings. They are spoken at once, so that either could ask for the check of their claim. */
const CLOSING = /as point 10 shows/;

/** Replies with a claim that the source supports: the first words of the statement; with none for a closing. */
function claimed({ body }: ModelRequest): ModelReply | undefined {
  if (body.response_format?.json_schema?.name !== "claims") return undefined;
  const prompt = body.messages.at(-1)?.content ?? "";
  const [, quote = ""] = /<statement>\s*([^.\n]+)/.exec(prompt) ?? [];
  return { json: { claims: CLOSING.test(quote) ? [] : [{ quote, text: quote }] } };
}

/** Returns the text that identifies a request: the server does not see the request's key. */
function bodyKey(
  { messages }: Pick<AgentRequest, "messages"> | Pick<ChatBody, "messages">,
): string {
  return JSON.stringify(messages.map(({ content }) => content));
}
