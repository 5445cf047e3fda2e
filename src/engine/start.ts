// The start of a convening as the record keeps it.
import { recordedKeys } from "../config/settings.ts";
import { isoTime, systemClock } from "../core/clock.ts";
import { paperFile } from "../core/paper.ts";
import type { ConveningStart, ParticipantInfo } from "../core/event.ts";
import type { CastMember } from "./casting.ts";
import type { DialogueOptions, WorkflowOptions } from "./workflow_options.ts";

/** The options that are recorded as they were given. */
const RECORDED = recordedKeys() as readonly (keyof WorkflowOptions)[];

/** A seed for a convening that was given none. */
export function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** Start of a convening as the record keeps it: plain data, without secrets. */
export function startOf(
  topic: string,
  parties: ReadonlyMap<string, CastMember>,
  options: DialogueOptions,
): ConveningStart {
  const { design = {}, clock = systemClock, sources = [] } = options;
  const kind = design.kind ?? "dialogue";
  const seed = options.seed ?? drawSeed();
  const speakers = [...parties.values()].filter(({ part, recorded }) =>
    part === "speaker" || recorded === true
  );
  const judges = (design.judges ?? []).map(({ id, name, rubric, tiebreak = false }) => ({
    id,
    name,
    rubric,
    model: parties.get(id)!.agent.model,
    ...tiebreak ? { tiebreak } : {},
  }));
  const panel = judges.filter(({ tiebreak }) => tiebreak !== true);
  const given = Object.fromEntries(
    RECORDED.filter((key) => options[key] !== undefined)
      .map((key) => [key, options[key]]),
  );
  return {
    kind,
    topic,
    participants: speakers.map(infoOf),
    judges,
    seed,
    startedAt: isoTime(clock),
    sources,
    ...(design.papers === undefined ? {} : { papers: design.papers }),
    ...expected(options),
    configuration: JSON.parse(JSON.stringify({
      kind,
      topic,
      ...given,
      ...(options.baseUrl === undefined ? {} : { baseUrl: withoutSecrets(options.baseUrl) }),
      factCheck: withoutKeys(options.factCheck),
      ...(kind === "dialogue" ? dialogueKeys(options) : {}),
      ...design.configuration,
      participants: speakers.map((party) => configOf(party, options)),
      ...(panel.length === 0 ? {} : {
        judges: panel.map(({ id, name, model }, index) => ({
          id,
          name,
          model,
          rubric: design.judges?.[index]?.ownRubric,
          temperature: unless(parties.get(id)!.temperature, design.configuration?.judgeTemperature),
          reasoningEffort: unless(parties.get(id)!.reasoningEffort, options.reasoningEffort),
        })),
      }),
      ...(sources.length === 0 ? {} : { sources: sources.map(({ name }) => `sources/${name}`) }),
      papers: design.papers?.map((_, index) => paperFile(index)),
      seed,
      seedGiven: options.seedGiven ?? options.seed !== undefined,
    })),
  };
}

/** The keys of a plain dialogue; a selection of the user's own is code, and is handed in again. */
function dialogueKeys({ maxTurns, maxTokensPerTurn, select }: DialogueOptions): object {
  return { maxTurns, maxTokensPerTurn, select: typeof select === "string" ? select : undefined };
}

function expected(
  { design, maxTurns = 10 }: DialogueOptions,
): { expectedMessages?: number } {
  const expectedMessages = design?.expectedMessages ??
    (design?.kind === undefined ? maxTurns : undefined);
  return expectedMessages === undefined ? {} : { expectedMessages };
}

function infoOf(
  { id, name, role, label, position, agent }: CastMember,
): ParticipantInfo {
  return {
    id,
    name,
    role,
    label,
    ...(position === undefined ? {} : { position }),
    model: agent.model,
  };
}

/** A role's own value; the usual one stands under its own key, where a flag goes over it. */
function unless<T>(own: T | undefined, usual: unknown): T | undefined {
  return own === usual ? undefined : own;
}

function configOf(party: CastMember, usual: WorkflowOptions): Record<string, unknown> {
  const { id, name, role, position, systemPrompt, agent } = party;
  const { persona, motivation } = party.given ?? { persona: party.persona };
  const temperature = unless(party.temperature, usual.temperature);
  const reasoningEffort = unless(party.reasoningEffort, usual.reasoningEffort);
  return {
    id,
    name,
    role,
    position,
    persona,
    motivation,
    systemPrompt,
    temperature,
    reasoningEffort,
    model: agent.model,
  };
}

/** Fact-check settings without what an address may hold besides the server. */
function withoutKeys(config: WorkflowOptions["factCheck"]): WorkflowOptions["factCheck"] {
  if (config?.searchUrl === undefined) return config;
  return { ...config, searchUrl: withoutSecrets(config.searchUrl) };
}

/** A URL without user name, password and query. */
function withoutSecrets(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  return parsed.href;
}
