// Applies the flags for participants, models, personas and guards, and resolves the model `local` to a local model server.
import { findLocalServers, LOCAL_SERVERS } from "../agents/local_servers.ts";
import { LOCAL } from "../agents/registry.ts";
import { castWith } from "../config/config.ts";
import type { DebateConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import { ADVOCATE } from "../core/participant.ts";
import { letters } from "../core/prompt.ts";
import { counted, plainLine } from "../core/text.ts";
import { defined, isObject, objectIn } from "../core/values.ts";
import { withPreset } from "../debate/formats.ts";
import { renameModels } from "../inputs/inputs.ts";
import { cannotUse, type FlagValues, type PersonaSetting } from "./flag.ts";
import {
  ADVOCATE_MODEL,
  BASE_URL,
  GUARD,
  JUDGE_MODEL,
  MODEL,
  MODERATOR_MODEL,
  PERSONA,
  POSITION,
} from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import type { Invocation, Session } from "./session.ts";

type Participants = NonNullable<DebateConfig["participants"]>;

/** Applies the flags for participants, models, personas and guards to a configuration, in place. */
export function applyCastFlags(merged: Plain, values: FlagValues): void {
  const guards = values.get(GUARD);
  if (guards !== undefined) merged["guards"] = withGuardModes(merged["guards"], guards);
  const positions = values.get(POSITION);
  const isDebate = merged["kind"] === "debate";
  if (positions !== undefined && isDebate) applyPositions(merged, positions);
  const advocateModels = values.get(ADVOCATE_MODEL);
  // Models of advocates need explicit participants, so the default ones are filled in.
  if (advocateModels !== undefined) {
    merged["participants"] = castOf(merged);
    delete merged["positions"];
  }
  const [moderatorModel, judgeModels] = [values.get(MODERATOR_MODEL), values.get(JUDGE_MODEL)];
  Object.assign(merged, castWith(merged, { moderatorModel, advocateModels, judgeModels }));
  const personas = values.get(PERSONA);
  if (personas !== undefined) applyPersonas(merged, personas);
}

/** Returns the settings of guards with the modes of flags; other settings of a guard are kept. */
function withGuardModes(before: unknown, modes: readonly (readonly [string, string])[]): Plain {
  const guards: Plain = { ...objectIn(before) };
  for (const [key, mode] of modes) {
    guards[key] = isObject(guards[key]) ? { ...guards[key], mode } : mode;
  }
  return guards;
}

/** Default number of debaters (context-network/rules/paper_debate.md). */
const POSTURES = 3;

/** Assigns positions to the configuration's advocates, if it names any. */
function applyPositions(merged: Plain, positions: readonly string[]): void {
  const { participants } = merged as Pick<DebateConfig, "participants">;
  if (participants === undefined) return;
  const { length } = participants.filter(isAdvocate);
  if (length !== positions.length) {
    throw cannotUse(
      "--position",
      `${positions.length} were given, the configuration has ${counted(length, "advocate")}`,
      "Give one position for each advocate.",
    );
  }
  delete merged["positions"];
  let at = 0;
  merged["participants"] = participants.map((each) =>
    isAdvocate(each) ? { ...each, position: positions[at++] } : each
  );
}

/** Assigns personas by name or id; personas without a name go to the remaining speakers, in order. */
function applyPersonas(merged: Plain, settings: readonly PersonaSetting[]): void {
  const participants = castOf(merged);
  const speakers = participants.filter(isAdvocate);
  const others = speakers.filter((each) =>
    !settings.some(({ of }) => of !== undefined && isCalled(each, of))
  );
  const personas = new Map<Participants[number], string>();
  for (const { of, persona } of settings) {
    const one = of === undefined ? others.shift() : speakers.find((each) => isCalled(each, of));
    const shown = `--persona ${of === undefined ? persona : `${of}=${persona}`}`;
    if (one === undefined) {
      const state = of === undefined ? "everyone who speaks has one" : `nobody is called "${of}"`;
      const names = speakers.map(({ name }) => name).join(", ");
      throw cannotUse(shown, state, `Who speaks: ${names}. Give each at most one persona.`);
    }
    if (personas.has(one)) {
      throw cannotUse(shown, `${of} was given one already`, "Give each speaker one persona.");
    }
    personas.set(one, persona);
  }
  delete merged["positions"];
  merged["participants"] = participants.map((each) =>
    personas.has(each) ? { ...each, persona: personas.get(each) } : each
  );
}

function isCalled({ id, name }: Participants[number], word: string): boolean {
  return id === word || name.toLowerCase() === word.toLowerCase();
}

/** Returns the participants of a configuration, else the default ones. */
function castOf(merged: Plain): Participants {
  // The cast is safe: the configuration file and the flags were checked.
  const { participants: named, preset, positions } = merged as Partial<DebateConfig>;
  if (merged["kind"] === "paper-debate") {
    const { postures } = merged;
    const count = typeof postures === "number" ? postures : POSTURES;
    return named?.some(isAdvocate) === true ? named : withDebaters(named ?? [], count);
  }
  if (named !== undefined) return named;
  if (merged["kind"] === "dialogue") return [{ name: "Ada" }, { name: "Ben" }];
  if (merged["kind"] === "consensus") return [{ name: "Ada" }, { name: "Ben" }, { name: "Cleo" }];
  const { participants } = withPreset({ kind: "debate", topic: "", preset, positions });
  return participants ?? (positions ?? [undefined, undefined]).map((position, at) => ({
    ...lettered("Advocate", at, ADVOCATE),
    ...defined({ position }),
  }));
}

/** Returns the default participant with a number, from 0, such as Advocate A. */
function lettered(title: "Advocate" | "Debater", at: number, role: string): Participants[number] {
  const name = `${title} ${letters(at)}`;
  return { id: name.toLowerCase().replace(" ", "-"), name, role };
}

/** Roles of participants that argue; an absent role is one. */
const SPEAKERS: readonly unknown[] = [undefined, ADVOCATE, "participant", "debater"];

function isAdvocate({ role }: { readonly role?: unknown }): boolean {
  return SPEAKERS.includes(role);
}

/** Returns the participants with exactly `count` debaters: drops the last debaters, or adds default ones. */
export function withDebaters(participants: Participants, count: number): Participants {
  const debaters = participants.filter(isAdvocate).slice(0, count);
  while (debaters.length < count) debaters.push(lettered("Debater", debaters.length, "debater"));
  return [...participants.filter((each) => !isAdvocate(each)), ...debaters];
}

/** An unchecked configuration: an object of any keys. */
export type Plain = Record<string, unknown>;

const MODEL_FLAGS = [MODEL, MODERATOR_MODEL, ADVOCATE_MODEL, JUDGE_MODEL];

/**
 * Replaces `local` in the flags of models by the name of a model of this machine, and prints a note with the name. With a
 * base URL, `local` is a model of that server and stays. Throws a `ConfigurationError` if no local server has a model.
 */
export async function useLocalModel(
  { values }: Invocation,
  session: Session,
  find: typeof findLocalServers = findLocalServers,
): Promise<void> {
  const isAsked = MODEL_FLAGS.some((flag) => [values.get<unknown>(flag)].flat().includes(LOCAL));
  if (!isAsked || hasBaseUrl(values.get(BASE_URL), session)) return;
  values.replace(MODEL_FLAGS, { value: LOCAL, by: await localModel(session, find) });
}

/** Replaces `local` in settings by the name of a model of this machine, by the rules of {@linkcode useLocalModel}. */
export async function withLocalModel(
  settings: Plain,
  session: Session,
  find: typeof findLocalServers = findLocalServers,
): Promise<Plain> {
  if (hasBaseUrl(settings["baseUrl"], session)) return settings;
  const local = await localModel(session, find);
  return renameModels(settings, (name) => name === LOCAL ? local : name);
}

export function hasBaseUrl(given: unknown, { io }: Session): boolean {
  return (given ?? io.env("OPENAI_BASE_URL") ?? "") !== "";
}

/** Returns the name of the first model of this machine, and prints a note with it. */
async function localModel(session: Session, find: typeof findLocalServers): Promise<string> {
  const hosts = LOCAL_SERVERS.map(({ host }) => host);
  requirePermissions(session.io, { hosts, isFirst: true });
  const servers = await find({ signal: session.signal });
  checkLocal(servers);
  const server = servers.find(({ models }) => models.length > 0)!;
  const { id, window } = server.models[0]!;
  const name = `${server.provider}:${id}`;
  const size = window === undefined ? "" : `, with a window of ${counted(window, "token")}`;
  session.note(`Local model: ${plainLine(name)} (${server.label} at ${server.origin}${size})`);
  return name;
}

export function checkLocal(
  servers: readonly { readonly label: string; readonly models: readonly unknown[] }[],
): void {
  if (servers.some(({ models }) => models.length > 0)) return;
  const empty = servers.map(({ label }) => label).join(", ");
  const usual = LOCAL_SERVERS.map(({ label, port }) => `${label} (${port})`).join(", ");
  throw new ConfigurationError(
    empty === ""
      ? "Cannot use model local: no model server of this machine answers"
      : `Cannot use model local: ${empty} has no model`,
    {
      field: "model",
      hint: empty === ""
        ? `Start one at its usual port: ${usual}. Or name another address: --base-url http://127.0.0.1:PORT/v1 --model NAME, with OPENAI_API_KEY for a server that wants a key.`
        : "Load a model there first; with Ollama: ollama pull llama3.2",
    },
  );
}
