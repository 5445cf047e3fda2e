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

/** What can be asked of a door besides holding a convening and reading a message. */
export type Act =
  | "resume"
  | "say"
  | "pause"
  | "fork"
  | "judge"
  | "verify"
  | "ask"
  | "search"
  | "list";

/** One answer, with its error apart. */
export interface Answer {
  readonly json: Json;
  readonly error?: Given["error"];
}

/** What is compared of an answer to each act. */
const COMPARED: Readonly<Record<Exclude<Act, "resume" | "say">, (json: Json) => Json>> = {
  pause: (json) => picked(json, ["held", "status"]),
  fork: (json) => picked(json, ["at", "edited"]),
  judge: (json) => picked(json, ["panel"]),
  verify: (json) => ({
    ...picked(json, ["sound", "status", "messages"]),
    problems: problemsIn(listOf(json["findings"])),
  }),
  ask: (json) => ({
    messages: json["messages"],
    answers: listOf(json["answers"]).map(hitIn),
    skipped: listOf(json["skipped"]).map(({ path }) => path),
  }),
  search: (json) => ({
    ...picked(json, ["convenings", "messages"]),
    results: listOf(json["results"]).map(hitIn),
  }),
  list: (json) => ({ convenings: listOf(json["convenings"]).map(rowIn) }),
};

/** One way to everything: the library, the command line, HTTP or MCP. */
export abstract class Door {
  abstract readonly name: string;
  /** The archive. */
  readonly out: string;

  constructor(out: string) {
    this.out = out;
  }

  /** Holds a convening until it ends or rests. */
  abstract hold(asked: Asked): Promise<Held>;
  /** Begins one that takes its time. */
  abstract begin(asked: Asked): Promise<Begun>;
  /** Goes on until it ends or rests. */
  abstract resume(dir: string, settings?: Settings): Promise<Given>;
  abstract message(dir: string, seq: number): Promise<Given>;
  /** Does one act, in the way of this door. */
  protected abstract act(act: Act, dir: string, args: Json): Promise<Answer>;
  /** The directory of a convening that an act made. */
  protected abstract made(json: Json): string;

  /** Says a turn, and goes on until it ends or rests; or interjects. */
  async say(dir: string, words: Json): Promise<Given> {
    const { json, error } = await this.act("say", dir, words);
    if (error !== undefined) return { error };
    if (words["interject"] === true) return { value: picked(json, ["interjected", "held"]) };
    return { value: picked(json, ["participant", "left"]) };
  }

  async fork(parent: string, how: Json): Promise<Held> {
    const { json, error } = await this.act("fork", parent, how);
    if (error !== undefined) return { given: { error }, dir: undefined };
    return { given: { value: COMPARED.fork(json) }, dir: this.made(json) };
  }

  pause(dir: string): Promise<Given> {
    return this.#given("pause", dir);
  }

  judge(dir: string, how: Json): Promise<Given> {
    return this.#given("judge", dir, how);
  }

  verify(dir: string): Promise<Given> {
    return this.#given("verify", dir);
  }

  ask(dir: string, question: string): Promise<Given> {
    return this.#given("ask", dir, { question });
  }

  search(query: string): Promise<Given> {
    return this.#given("search", "", { query });
  }

  list(): Promise<Given> {
    return this.#given("list", "");
  }

  async close(): Promise<void> {}

  async #given(act: keyof typeof COMPARED, dir: string, args: Json = {}): Promise<Given> {
    const { json, error } = await this.act(act, dir, args);
    return error === undefined ? { value: COMPARED[act](json) } : { error };
  }
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
function rowIn(json: Json): Json {
  return picked(json, ["kind", "topic", "status", "messages", "outcome", "winner", "winnerName"]);
}

/** What is compared of an answer to a question, or of a hit. */
function hitIn(json: Json): Json {
  return picked(json, ["seq", "name", "kind", "score", "snippet"]);
}

/** Findings as lines; where an event stands in a log is not the same twice. */
function problemsIn(findings: readonly Json[]): readonly string[] {
  return findings.map(({ path, problem }) => `${path}: ${problem}`.replace(/\bline \d+/, "line N"));
}
