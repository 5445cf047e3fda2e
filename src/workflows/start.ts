import { isoTime, systemClock } from "../core/clock.ts";
import type { ConveningStart, ParticipantInfo } from "../core/record.ts";
import type { Party } from "./engine/party.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

/** The options that are recorded as they were given, by their configuration keys. */
const RECORDED = [
  "model",
  "temperature",
  "limits",
  "maxPromptTokens",
  "language",
  "sourceTokens",
  "transcript",
  "words",
  "turnMaxDuration",
  "refusedTerms",
  "prompts",
  "prices",
  "providers",
  "retry",
  "idleTimeout",
  "totalTimeout",
] as const satisfies readonly (keyof WorkflowOptions)[];

/** A seed for a convening that was given none. */
export function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** What a record keeps of how a convening starts: plain data, without secrets. */
export function startOf(
  topic: string,
  parties: ReadonlyMap<string, Party>,
  options: WorkflowOptions & {
    readonly maxTurns?: number | undefined;
    readonly maxTokensPerTurn?: number | undefined;
  },
): ConveningStart {
  const { design = {}, clock = systemClock, sources = [] } = options;
  const kind = design.kind ?? "dialogue";
  const seed = options.seed ?? drawSeed();
  const speakers = [...parties.values()].filter(({ role }) => role !== "judge");
  const judges = (design.judges ?? []).map(({ id, name, rubric }) => ({
    id,
    name,
    rubric,
    model: parties.get(id)!.agent.model,
  }));
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
    ...expected(options),
    configuration: plain({
      kind,
      topic,
      ...given,
      ...(options.baseUrl === undefined ? {} : { baseUrl: withoutSecrets(options.baseUrl) }),
      ...(kind === "dialogue"
        ? {
          maxTurns: options.maxTurns,
          maxTokensPerTurn: options.maxTokensPerTurn,
        }
        : {}),
      ...design.configuration,
      participants: speakers.map((party) => configOf(party, options.temperature)),
      ...(judges.length === 0 ? {} : {
        judges: judges.map(({ id, name, model }) => ({
          id,
          name,
          model,
          temperature: unless(parties.get(id)!.temperature, design.configuration?.judgeTemperature),
        })),
      }),
      ...(sources.length === 0 ? {} : { sources: sources.map(({ name }) => `sources/${name}`) }),
      seed,
      seedGiven: options.seedGiven ?? options.seed !== undefined,
    }),
  };
}

function expected(
  { design, maxTurns = 10 }: Parameters<typeof startOf>[2],
): { expectedMessages?: number } {
  const expectedMessages = design?.expectedMessages ??
    (design?.kind === undefined ? maxTurns : undefined);
  return expectedMessages === undefined ? {} : { expectedMessages };
}

function infoOf(
  { id, name, role, label, position, agent }: Party,
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

/** A role's own temperature; the usual one stands under its own key, where a flag goes over it. */
function unless(own: number | undefined, usual: unknown): number | undefined {
  return own === usual ? undefined : own;
}

function configOf(party: Party, usual: number | undefined): Record<string, unknown> {
  const { id, name, role, position, persona, systemPrompt, agent } = party;
  const temperature = unless(party.temperature, usual);
  return { id, name, role, position, persona, systemPrompt, temperature, model: agent.model };
}

/** JSON and back: what is undefined or no data is left out. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
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
