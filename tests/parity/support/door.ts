import type { PaperDraft } from "../../../papers.ts";

/** JSON, as a door gave it. */
export type Json = Readonly<Record<string, unknown>>;

/** What is held through every door. */
export interface Asked {
  /** A configuration as a file has it, without papers, sources and addresses. */
  readonly config: Json;
  /** The papers of a debate over papers. @default none */
  readonly papers?: readonly (PaperDraft & { readonly id: string })[] | undefined;
  /** Background texts. @default none */
  readonly sources?: readonly { readonly name: string; readonly text: string }[] | undefined;
}

/** How models and searches are reached, whichever the door. */
export interface World {
  /** The model of every role that names none. @default the program's */
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The variables that are set. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What a door gave, under the same names whichever it was; ids and paths left out. */
export interface Given {
  /** Absent where there is only an error. */
  readonly value?: Json | undefined;
  /** What it refused, or what failed. */
  readonly error?: { readonly code: string; readonly field: string | null } | undefined;
  /** Whether this door cannot be asked that. @default false */
  readonly isSilent?: boolean | undefined;
}

/** A convening as a door came to it. */
export interface Held {
  readonly given: Given;
  /** Undefined where there is no record. */
  readonly dir: string | undefined;
}

/** A convening that was begun and goes on. */
export interface Begun {
  /** Ends it early. */
  stop(): Promise<void>;
  /** Resolves once it has ended or rests. */
  readonly ended: Promise<unknown>;
}

/** Settings to go on with. */
export type Settings = Readonly<Record<string, unknown>>;

/** One way to everything: the library, the command line, HTTP or MCP. */
export interface Door {
  readonly name: string;
  /** The archive. */
  readonly out: string;
  /** Holds a convening until it ends or rests. */
  hold(asked: Asked): Promise<Held>;
  /** Begins one that takes its time. */
  begin(asked: Asked): Promise<Begun>;
  /** Goes on until it ends or rests. */
  resume(dir: string, settings?: Settings): Promise<Given>;
  /** Says a turn, and goes on until it ends or rests; or interjects. */
  say(dir: string, words: Json): Promise<Given>;
  pause(dir: string): Promise<Given>;
  fork(dir: string, how: Json): Promise<Held>;
  judge(dir: string, how: Json): Promise<Given>;
  verify(dir: string): Promise<Given>;
  ask(dir: string, question: string): Promise<Given>;
  search(query: string): Promise<Given>;
  list(): Promise<Given>;
  message(dir: string, seq: number): Promise<Given>;
  close(): Promise<void>;
}

/** The keys that tell what a convening came to, in every door. */
const TOLD = [
  "status",
  "endReason",
  "outcome",
  "winner",
  "scores",
  "unscored",
  "usage",
  "waitingFor",
  "agreement",
  "contradictions",
  "notes",
  "factChecks",
  "audience",
  "baseline",
  "consensus",
  "question",
  "postures",
  "topics",
  "verification",
] as const;

/** What a convening came to, of all that a door tells. */
export function toldIn(json: Json): Json {
  return { ...picked(json, TOLD), report: json["report"] !== null };
}

/** Some keys of an object; one that is missing is undefined, and so differs from null. */
export function picked(json: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.map((key) => [key, json[key]]));
}

/** An object of JSON. */
export function objectOf(value: unknown): Json {
  if (typeof value !== "object" || value === null) throw new Error(`No object: ${value}`);
  return Object.fromEntries(Object.entries(value));
}

/** A list of objects of JSON. */
export function listOf(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`No list: ${value}`);
  return value.map(objectOf);
}

/** The words of an error's field, whichever the door: flags and what stands for a directory have one name. */
const FIELDS: Readonly<Record<string, string>> = {
  dir: "id",
  as: "participant",
  "--as": "participant",
  "--at": "at",
  "--file": "text",
  "--pick": "pick",
  "--question": "question",
  "--model": "model",
  "--moderator-model": "moderatorModel",
  "--advocate-model": "advocateModels",
  "--judge-model": "judgeModels",
  "--rubric": "rubric",
  "--max-turns": "limits.maxTurns",
  "--limit": "limit",
  q: "query",
  paperIds: "papers",
};

/** What an error says to programs. */
export function refusal(error: Json): Given {
  const { code, field } = error;
  // A directory is named by its path, and to clients as an id; so are the files in it.
  const [, path] = /\d{4}-\d\d-\d\dT[\d-]+_[\w-]+(?:\/(.*))?$/.exec(String(field)) ?? [];
  const named = path ?? (String(field).startsWith("/") ? "id" : field);
  const name = typeof named === "string" ? FIELDS[named] ?? named : null;
  return { error: { code: String(code), field: name } };
}

/** What is compared of a message. */
export function messageIn(json: Json): Json {
  return picked(json, [
    "seq",
    "turn",
    "participant",
    "name",
    "role",
    "position",
    "phase",
    "kind",
    "round",
    "replyTo",
    "model",
    "marks",
    "body",
  ]);
}

/** What is compared of a list's row. */
export function rowIn(json: Json): Json {
  return picked(json, ["kind", "topic", "status", "messages", "outcome", "winner", "winnerName"]);
}

/** What is compared of an answer to a question, or of a hit. */
export function hitIn(json: Json): Json {
  return picked(json, ["seq", "name", "kind", "score", "snippet"]);
}

/** Findings as lines; where an event stands in a log is not the same twice. */
export function problemsIn(findings: readonly Json[]): readonly string[] {
  return findings.map(({ path, problem }) => `${path}: ${problem}`.replace(/\bline \d+/, "line N"));
}
