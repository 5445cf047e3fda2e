// Builds the recorded start of a convening, the head of its prompts, and the bounds of their length.
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { recordedKeys } from "../config/settings.ts";
import { isoTime, systemClock } from "../core/clock.ts";
import { safeSources } from "../core/files.ts";
import { paperFile, type Source } from "../core/paper.ts";
import type { LookUp } from "../core/fact.ts";
import { type PromptHead, renderSource } from "../core/prompt.ts";
import { loadTokenCounter, type TokenCounter } from "../core/tokens.ts";
import { type Agent, HUMAN } from "../core/agent.ts";
import type { ConveningStart } from "../core/event.ts";
import { defined } from "../core/values.ts";
import type { CastMember } from "../core/participant.ts";
import { counted } from "../core/text.ts";
import { ofAgent, partOf } from "./run_stop.ts";
import type { DialogueOptions, WorkflowOptions } from "./workflow_options.ts";

const RECORDED = recordedKeys() as readonly (keyof WorkflowOptions)[];

/** Draws a random 32-bit seed. */
export function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** Returns the start of a convening for the record: plain data without secrets. */
export function startOf(
  topic: string,
  cast: ReadonlyMap<string, CastMember>,
  options: DialogueOptions,
): ConveningStart {
  const { design = {}, clock = systemClock } = options;
  const sources = safeSources(options.sources ?? []);
  const searchUrl = options.factCheck?.searchUrl;
  const kind = design.kind ?? "dialogue";
  const { expectedMessages = design.kind === undefined ? options.maxTurns ?? 10 : undefined } =
    design;
  const seed = options.seed ?? drawSeed();
  const speakers = [...cast.values()].filter(({ part, recorded }) =>
    part === "speaker" || recorded === true
  );
  const judges = (design.judges ?? []).map(({ id, name, rubric, tiebreak = false }) => ({
    id,
    name,
    rubric,
    model: cast.get(id)!.agent.model,
    ...tiebreak ? { tiebreak } : {},
  }));
  const recorded = Object.fromEntries(
    RECORDED.filter((key) => options[key] !== undefined)
      .map((key) => [key, options[key]]),
  );
  return {
    kind,
    topic,
    participants: speakers.map(({ id, name, role, label, position, agent: { model } }) => ({
      ...{ id, name, role, label },
      ...defined({ position }),
      model,
    })),
    judges,
    seed,
    startedAt: isoTime(clock),
    sources,
    ...defined({ papers: design.papers, expectedMessages }),
    configuration: JSON.parse(JSON.stringify({
      kind,
      topic,
      ...recorded,
      ...options.baseUrl === undefined ? {} : { baseUrl: withoutCredentials(options.baseUrl) },
      factCheck: searchUrl === undefined
        ? options.factCheck
        : { ...options.factCheck, searchUrl: withoutCredentials(searchUrl) },
      ...(kind === "dialogue" ? dialogueKeys(options) : {}),
      ...design.configuration,
      participants: speakers.map((speaker) => configOf(speaker, options)),
      ...panelKeys(judges, cast, options),
      ...(sources.length === 0 ? {} : { sources: sources.map(({ name }) => `sources/${name}`) }),
      papers: design.papers?.map((_, index) => paperFile(index)),
      seed,
      seedGiven: options.seedGiven ?? options.seed !== undefined,
    })),
  };
}

/** Returns the recorded settings of the judges, without judges that only break ties. */
function panelKeys(
  judges: ConveningStart["judges"],
  cast: ReadonlyMap<string, CastMember>,
  options: DialogueOptions,
): object {
  const { design } = options;
  const panel = judges.filter(({ tiebreak }) => tiebreak !== true);
  if (panel.length === 0) return {};
  return {
    judges: panel.map(({ id, name }, index) => ({
      id,
      name,
      model: modelOf(cast.get(id)!, options),
      rubric: design?.judges?.[index]?.ownRubric,
      temperature: unlessEqual(cast.get(id)!.temperature, design?.configuration?.judgeTemperature),
      reasoningEffort: unlessEqual(cast.get(id)!.reasoningEffort, options.reasoningEffort),
    })),
  };
}

/** Returns the recorded settings of a plain dialogue. A program's own selection is code: a resume needs it passed again. */
function dialogueKeys({ maxTurns, maxTokensPerTurn, select }: DialogueOptions): object {
  return { maxTurns, maxTokensPerTurn, select: typeof select === "string" ? select : undefined };
}

/** Omits a value equal to the common one, which is recorded under its own key and can be overridden by a flag at a resume. */
function unlessEqual<T>(own: T | undefined, common: unknown): T | undefined {
  return own === common ? undefined : own;
}

/**
 * Returns the name of a member's model for a resume: of a replay the configured one, since an agent's own name has no folder to read;
 * of a program's own provider the name that created the agent.
 */
function modelOf({ agent, model }: CastMember, common: WorkflowOptions): string {
  const named = agent.model.startsWith("replay:") ? model ?? common.model : undefined;
  return named?.startsWith("replay:") ? named : common.host?.nameOf?.(agent) ?? agent.model;
}

function configOf(member: CastMember, common: WorkflowOptions): Record<string, unknown> {
  const { id, name, role, position, persona, given = { persona }, systemPrompt } = member;
  return {
    id,
    name,
    role,
    position,
    ...given,
    systemPrompt,
    temperature: unlessEqual(member.temperature, common.temperature),
    reasoningEffort: unlessEqual(member.reasoningEffort, common.reasoningEffort),
    model: modelOf(member, common),
  };
}

/** The parameter of a query that a resume needs and that holds no secret. */
const VERSION = "api-version";

/** Returns a URL without user name, password and query, except for the version of an interface. */
function withoutCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  parsed.username = "";
  parsed.password = "";
  const version = parsed.searchParams.get(VERSION);
  parsed.search = version === null ? "" : `${new URLSearchParams({ [VERSION]: version })}`;
  return parsed.href;
}

/** Returns the head of every prompt, and the parts of sources that did not fit in it. */
export async function preambleOf(
  start: ConveningStart & { readonly remembered?: readonly LookUp[] },
  cast: ReadonlyMap<string, CastMember>,
  { design = {}, language, sourceTokens = SOURCE_TOKENS }: WorkflowOptions,
): Promise<PromptHead & { readonly leftOut: readonly string[] }> {
  const remembered = (start.remembered ?? []).map(({ result }, index) => ({
    name: `earlier convening ${index + 1}`,
    text: result,
  }));
  const { shown, leftOut } = await fitSources([...start.sources, ...remembered], sourceTokens);
  return {
    topic: start.papers === undefined
      ? start.topic
      : `\n${renderSource({ name: "topic", text: start.topic })}`,
    rules: design.rules ?? "",
    sides: [...cast.values()].filter(({ part }) => part === "speaker")
      .map(({ label, position }) =>
        position === undefined ? label : `${label}: ${position.replace(/\s+/g, " ")}`
      ),
    notes: [
      ...design.notes ?? [],
      language === undefined
        ? "Write in the language of the topic."
        : `Write in this language: ${language}.`,
      ...leftOut.length === 0
        ? []
        : [`The sources below are cut: ${leftOut.join(", ")} are left out.`],
    ],
    sources: shown,
    leftOut,
  };
}

/** The most tokens of all sources, unless a third of the smallest prompt is less. */
const SOURCE_TOKENS = 4000;

/** Returns the most tokens of all sources, for the record of a new convening; undefined for the default. */
export function sourceTokensFor(
  bounds: ReadonlyMap<string, number>,
  { sourceTokens }: WorkflowOptions,
): number | undefined {
  // All prompts begin the same, so the smallest decides; a third leaves room for its turns.
  const third = Math.floor(Math.min(...bounds.values()) / 3);
  return sourceTokens ?? (third < SOURCE_TOKENS ? third : undefined);
}

/** Cuts the sources to `limit` tokens in total; returns the kept texts and a phrase for each cut. */
async function fitSources(
  sources: readonly Source[],
  limit: number,
): Promise<{ shown: Source[]; leftOut: string[] }> {
  if (sources.length === 0) return { shown: [], leftOut: [] };
  const count = await loadTokenCounter();
  // Yield to the event loop between two counts.
  const sizes = await Array.fromAsync(sources, async ({ text }) => {
    await yieldToEventLoop();
    return count(text);
  });
  const most = largestShare(sizes, limit);
  const shown: Source[] = [];
  const leftOut: string[] = [];
  for (const [index, { name, text }] of sources.entries()) {
    const kept = sizes[index]! <= most ? text : await cutToTokens(text, most, count);
    if (kept.length < text.length) {
      leftOut.push(`${counted(text.length - kept.length, "character")} of ${name}`);
    }
    if (kept !== "") shown.push({ name, text: kept });
  }
  return { shown, leftOut };
}

/** Divides `limit` tokens in equal shares, the rest of each smaller source among the others; returns the share of a larger source. */
export function largestShare(sizes: readonly number[], limit: number): number {
  let left = limit;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

/** Returns the beginning of a text with at most `limit` tokens, cut between paragraphs or words if possible. */
async function cutToTokens(text: string, limit: number, count: TokenCounter): Promise<string> {
  if (limit <= 0) return "";
  const fits = (end: number) => yieldToEventLoop().then(() => count(text.slice(0, end)) <= limit);
  let low = 0;
  let high = Math.min(limit, text.length);
  while (await fits(high)) {
    if (high === text.length) return text;
    low = high;
    high = Math.min(2 * high, text.length);
  }
  while (high - low > 16) {
    const middle = (low + high) >> 1;
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  const cut = text.slice(0, low);
  const end = Math.max(cut.lastIndexOf("\n\n"), cut.lastIndexOf(" "));
  return end > low / 2 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, "");
}

/**
 * Share of the context window that a prompt may fill; the rest is for the reply, and for tokenizers that count more tokens. With
 * papers, half of the share is for their text.
 */
const WINDOW_SHARE = { turns: 0.7, papers: 0.35 } as const;
/** The most tokens of a prompt for a model without a known context window. */
const UNKNOWN_WINDOW = 12_000;
/** The most tokens of a prompt by default, so that long convenings stay affordable; does not hold for judges. */
const MAX_PROMPT_TOKENS = 100_000;

/**
 * Returns the most tokens of a member's prompts, beyond which the oldest turns are folded; `Infinity` for people and for
 * `maxPromptTokens: 0` with an unknown window. Uses the window that an agent has learned from an error, if any.
 */
export async function promptBound(
  { agent, part }: Pick<CastMember, "agent" | "part">,
  { maxPromptTokens, design, signal }: WorkflowOptions,
): Promise<number> {
  if (agent.model === HUMAN) return Infinity;
  const window = await windowOf(agent, signal).catch((error: unknown): undefined => {
    // A cancelled run asks no model, and records its stop.
    if (signal?.aborted !== true) throw error;
  });
  const share = WINDOW_SHARE[design?.papers === undefined ? "turns" : "papers"];
  const room = window === undefined ? Infinity : Math.floor(window * share);
  if (maxPromptTokens !== undefined) return Math.min(room, maxPromptTokens || Infinity);
  if (window === undefined) return UNKNOWN_WINDOW;
  return part === "judge" ? room : Math.min(room, MAX_PROMPT_TOKENS);
}

/** Has the design fit its prompt texts into the context windows that are known now. */
export async function fitDesign(
  cast: ReadonlyMap<string, CastMember>,
  { design, signal }: WorkflowOptions,
): Promise<void> {
  const window = async (id: string) => {
    const agent = cast.get(id)?.agent;
    return agent && await windowOf(agent, signal);
  };
  await partOf("design.fit", { signal }, () => design?.fit?.(window));
}

function windowOf(agent: Agent, signal: AbortSignal | undefined): Promise<number | undefined> {
  return ofAgent(agent, "window", signal, () => agent.window?.());
}

/** Returns the prompt bounds by member id. A run that only judges an ended record asks, and bounds, only judges. */
export async function promptBounds(
  cast: ReadonlyMap<string, CastMember>,
  options: WorkflowOptions,
): Promise<ReadonlyMap<string, number>> {
  const asked = [...cast.values()].filter(({ part }) =>
    part === "judge" || options.design?.adds !== true
  );
  return new Map(
    await Promise.all(
      asked.map(async (member) => [member.id, await promptBound(member, options)] as const),
    ),
  );
}
