// Base class of the four surfaces under comparison, and the parts of their answers that are compared.
import type { PaperDraft } from "../../../papers.ts";

/** JSON object of a response. */
export type Json = Readonly<Record<string, unknown>>;

/** A convening to run on every surface. */
export interface Asked {
  /** Configuration as in a file, without papers, sources and base URLs. */
  readonly config: Json;
  /** Papers of a paper debate. @default none */
  readonly papers?: readonly (PaperDraft & { readonly id: string })[] | undefined;
  /** Background texts. @default none */
  readonly sources?: readonly { readonly name: string; readonly text: string }[] | undefined;
}

/** Models and environment that all surfaces share. */
export interface World {
  /** Default model. @default the program's default */
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Environment variables. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Answer of a surface in common field names, without ids and paths. */
export interface Given {
  /** Absent if there is only an error. */
  readonly value?: Json | undefined;
  /** Error of a rejected or failed act. */
  readonly error?: { readonly code: string; readonly field: string | null } | undefined;
  /** True if this surface does not support the act. @default false */
  readonly isSilent?: boolean | undefined;
}

/** A convening that ended or waits, as one surface reports it. */
export interface Held {
  readonly given: Given;
  /** Undefined if there is no record. */
  readonly dir: string | undefined;
}

/** A convening that is running. */
export interface Begun {
  /** Stops the run. */
  stop(): Promise<void>;
  /** Resolves when the run has ended or waits. */
  readonly ended: Promise<unknown>;
}

/** Settings of a resume. */
export type Settings = Readonly<Record<string, unknown>>;

/** Acts besides running a convening and reading a message. */
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

/** Response to an act: value or error. */
export interface Answer {
  readonly json: Json;
  readonly error?: Given["error"];
}

/** Compared parts of the response to each act. */
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

/** A surface: library, CLI, HTTP or MCP. */
export abstract class Door {
  abstract readonly name: string;
  /** Archive folder. */
  readonly out: string;

  constructor(out: string) {
    this.out = out;
  }

  /** Runs a convening until it ends or waits. */
  abstract hold(asked: Asked): Promise<Held>;
  /** Starts a convening without waiting for its end. */
  abstract begin(asked: Asked): Promise<Begun>;
  /** Resumes a convening until it ends or waits. */
  abstract resume(dir: string, settings?: Settings): Promise<Given>;
  abstract message(dir: string, seq: number): Promise<Given>;
  /** Performs an act through this surface. */
  protected abstract act(act: Act, dir: string, args: Json): Promise<Answer>;
  /** Returns the directory of a convening that an act created. */
  protected abstract made(json: Json): string;

  /** Says a pending turn and resumes until the run ends or waits; or adds an interjection. */
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

/** Compared keys of a convening's result. */
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

/** Returns the compared keys of a convening's result. */
export function toldIn(json: Json): Json {
  return { ...picked(json, TOLD), report: json["report"] !== null };
}

/** Returns some keys of an object; a missing key is undefined, unlike null. */
export function picked(json: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.map((key) => [key, json[key]]));
}

/** Narrows a value to a JSON object. */
export function objectOf(value: unknown): Json {
  if (typeof value !== "object" || value === null) throw new Error(`No object: ${value}`);
  return Object.fromEntries(Object.entries(value));
}

/** Narrows a value to a list of JSON objects. */
export function listOf(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`No list: ${value}`);
  return value.map(objectOf);
}

/** Common names of error fields, by the names in each surface. */
const FIELDS: Readonly<Record<string, string>> = {
  dir: "id",
  as: "participant",
  "--as": "participant",
  "--at": "at",
  "--edit": "edit",
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
  "<text>": "query",
  "<question>": "question",
  paperIds: "papers",
  models: "judges",
};

/** Returns an error's code and field. */
export function refusal(error: Json): Given {
  const { code, field } = error;
  // A directory is a path on some surfaces and an id on others; so are paths of its files.
  const [, path] = /\d{4}-\d\d-\d\dT[\d-]+_[\w-]+(?:\/(.*))?$/.exec(String(field)) ?? [];
  const named = path ?? (String(field).startsWith("/") ? "id" : field);
  const name = typeof named === "string" ? FIELDS[named] ?? named : null;
  return { error: { code: String(code), field: name } };
}

/** Returns the compared parts of a message. */
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

/** Returns the compared parts of a list's row. */
function rowIn(json: Json): Json {
  return picked(json, [
    ...["kind", "topic", "status", "messages", "outcome", "winner", "winnerName"],
    "strengthLevel",
  ]);
}

/** Returns the compared parts of an answer or a hit. */
function hitIn(json: Json): Json {
  return picked(json, ["seq", "name", "kind", "score", "snippet"]);
}

/** Returns findings as lines, without line numbers of the log, which differ between runs. */
function problemsIn(findings: readonly Json[]): readonly string[] {
  return findings.map(({ path, problem }) => `${path}: ${problem}`.replace(/\bline \d+/, "line N"));
}
