// Learns profile keys from the errors of servers, such as an unsupported parameter, and keeps them for the process by origin and model.
import type { ProfileLearned } from "../core/agent.ts";
import {
  LESSON_LIFE,
  type Profile,
  type ProfileKeys,
  profileKeys,
  WIRE_EFFORTS,
} from "../core/profile.ts";
import { objectIn } from "../core/values.ts";
import {
  isRefusedRequest,
  shownText,
  type StatusError,
  UNROUTED,
  withCause,
} from "./openai_client.ts";
import type { WireRequest } from "./openai_request.ts";

/** A change of a profile's key, with the server's error as the reason. */
export type Change = Pick<ProfileLearned, "key" | "from" | "to" | "because">;

/** A learned profile key of one model on one server. */
export interface Lesson extends Omit<ProfileLearned, "type" | "learnedAt"> {
  /** Time of learning in ISO 8601, UTC. */
  readonly at: string;
}

/** Keys that may be learned; the archive's file of lessons may hold other keys. */
const LEARNABLE: ReadonlySet<string> = new Set<keyof ProfileKeys>([
  "cap",
  "efforts",
  "forcedTool",
  "json",
  "jsonWithTools",
  "output",
  "reasoning",
  "reasoningSend",
  "seed",
  "streamOptions",
  "system",
  "temperature",
  "window",
]);

/** The most characters of an error that are read for a lesson: the time of some patterns grows with the square of the length. */
const MOST_READ = 4000;

/** Lessons of this process by origin, model and key. */
const lessons = new Map<string, Lesson>();

/**
 * Stores a lesson, replacing an earlier one of the same key, and returns its time; an unchanged lesson keeps its time. Ignores
 * unknown keys and invalid values.
 */
export function learn(
  lesson: Omit<Lesson, "at">,
  at: string = new Date(Date.now()).toISOString(),
): string {
  const { origin, model, key, to } = lesson;
  if (!LEARNABLE.has(key) || !profileKeys.safeParse({ [key]: to }).success) return at;
  const id = JSON.stringify([origin, model, key]);
  const before = lessons.get(id);
  if (before !== undefined && isFresh(before) && JSON.stringify(before.to) === JSON.stringify(to)) {
    return before.at;
  }
  lessons.set(id, { ...lesson, at });
  return at;
}

/** Returns the lessons that have not expired. */
export function lessonsKnown(): Lesson[] {
  return [...lessons.values()].filter(isFresh);
}

function isFresh({ at }: Lesson): boolean {
  return Date.now() - Date.parse(at) < LESSON_LIFE;
}

export function lessonsOf(origin: string | undefined, model: string): Lesson[] {
  return lessonsKnown().filter((each) => each.origin === origin && each.model === model);
}

/** Models that gave a reply that did not fit its schema, by origin and name. */
const misfits = new Set<string>();

/** Notes a reply that does not fit its schema. Returns true from the second such reply of a model on: the server ignores schemas. */
export function isRepeatedMisfit(origin: string, model: string): boolean {
  const id = JSON.stringify([origin, model]);
  if (misfits.has(id)) return true;
  misfits.add(id);
  return false;
}

/** Rows of the table of profiles by origin, for servers elsewhere whose list of models names llama.cpp as the owner. */
export const programs = new Map<string | undefined, "llamacpp">();

export function forgetLessons(): void {
  programs.clear();
  misfits.clear();
  lessons.clear();
}

export function learnedKeys(origin: string | undefined, model: string): ProfileKeys {
  return Object.fromEntries(lessonsOf(origin, model).map(({ key, to }) => [key, to]));
}

/**
 * Derives a profile change from a server's error; undefined if the error suggests none. Removes `secrets` from the error's text,
 * because a server may echo the request.
 */
export function changeFor(
  profile: Profile,
  body: WireRequest,
  error: unknown,
  secrets: readonly string[],
): Change | undefined {
  if (!isRefusedRequest(error)) return undefined;
  const said = withCause(error.message, error.error);
  const message = said.slice(0, MOST_READ);
  const window = windowIn(error);
  const output = Number(OUTPUT.exec(message)?.[1]);
  const change = window !== undefined && window < (profile.window ?? Infinity)
    ? { key: "window", from: profile.window, to: window }
    : output < Number(body[profile.cap])
    ? { key: "output", from: profile.output, to: output }
    : parameterChange(profile, body, { message, param: error.param });
  const words = `${error.status} ${said.replace(/^\d{3} /, "")}`;
  const because = shownText(words, secrets, 200);
  return change === undefined ? undefined : { ...change, because };
}

/** Matches an error about a form of JSON; Gemini names nothing, or "a schema in GenerationConfig", llama.cpp the samplers. */
const FORM =
  /json[_ ](?:schema|object|mode)|structured output|response_?schema|(?:specified|a) schema\b|output_(?:config\.)?format|grammar|initialize samplers|generate[d]? JSON|contains an invalid argument/i;

function parameterChange(
  profile: Profile,
  body: WireRequest,
  { message, param }: Pick<StatusError, "message" | "param">,
): Omit<Change, "because"> | undefined {
  const to = <K extends keyof Profile>(key: K, value: Profile[K]) => ({
    key,
    from: profile[key],
    to: value,
  });
  const isUnnamed = UNROUTED.test(message);
  const names = (name: string): boolean =>
    body[name] !== undefined && body[name] !== null &&
    (isUnnamed || typeof param === "string" && param.split(".")[0] === name ||
      new RegExp(`\\b${name}\\b`).test(message));
  if (body.response_format !== undefined) {
    const ofTools = body.tools !== undefined && /\btools?\b|function call/i.test(message);
    if (ofTools && /response|json|mime/i.test(message)) return to("jsonWithTools", false);
    const weaker = profile.json.slice(1);
    if ((names("response_format") || FORM.test(message)) && weaker.length > 0) {
      return to("json", weaker);
    }
  }
  if (isValueError(message)) return undefined;
  if (!isUnnamed && names("stream_options")) return to("streamOptions", false);
  if (profile.api === "chat" && !isUnnamed) {
    if (names("max_tokens")) return to("cap", "max_completion_tokens");
    if (names("max_completion_tokens")) return to("cap", "max_tokens");
  }
  if (profile.forcedTool && names("tool_choice")) return to("forcedTool", false);
  if (names("temperature")) return to("temperature", false);
  if (names(profile.seedField)) return to("seed", false);
  const isEffort = ["reasoning_effort", "reasoning", "thinking", "chat_template_kwargs"]
    .some(names);
  // Some servers and protocols have names of their own.
  const isOwnEffort = body.reasoning_effort !== undefined && /effort|\bthink/i.test(message);
  if (isEffort || isOwnEffort) return effortChange(profile, body, message);
  const isRole = /\b(?:system|developer)\b/i.test(message) &&
    /\brole|instruction|message/i.test(message);
  // Templates without a role for instructions name only the roles that they take.
  if (isRole || /\broles must alternate|\bonly user and assistant\b/i.test(message)) {
    if (profile.system === "developer") return to("system", "system");
    if (profile.system !== "first_user") return to("system", "first_user");
  }
  return undefined;
}

/** True if the server rejects a value and not the parameter itself: the user's value is out of range. */
function isValueError(message: string): boolean {
  return /\b(?:between|range|too (?:large|high|big|small|low)|at (?:most|least)|maximum|minimum|(?:less|greater) than)\b/i
    .test(message) &&
    !/\b(?:unsupported|unknown|unrecognized|unexpected|deprecated|extra|instead|not (?:supported|support|allowed|permitted)|only the default)\b/i
      .test(message);
}

/** Restricts the efforts to those that the error names, except the one sent; if it names none, no effort is sent any more. */
function effortChange(
  { efforts, reasoningSend }: Profile,
  body: WireRequest,
  message: string,
): Omit<Change, "because"> {
  const reasoning = body["reasoning"] as { readonly effort?: string } | undefined;
  const sent = body.reasoning_effort ?? reasoning?.effort;
  const named = WIRE_EFFORTS.filter((each) =>
    each !== sent && new RegExp(`['"\`]${each}['"\`]`).test(message)
  );
  return named.length === 0
    ? { key: "reasoningSend", from: reasoningSend, to: "none" }
    : { key: "efforts", from: efforts, to: named };
}

/** Matches an error about a cap above the most tokens of a reply, which follow. */
const OUTPUT =
  /max(?:_completion)?_tokens\b.{0,60}?(?:less than or equal to|at most|\[\d+,|\d+ >|maximum output tokens) [(`]?(\d+)/is;

/** Messages about a prompt that is too long, with the context window. */
const WINDOWS: readonly RegExp[] = [
  /maximum (?:context|prompt|model) length (?:is|of) ([\d,]+)/i,
  /> ([\d,]+) maximum/i,
  /([\d,]+) maximum context length/i,
  /exceeds the maximum (?:number of tokens allowed |allowed length )?\(([\d,]+)/i,
  /n_ctx:? \(?([\d,]+)/,
  /context (?:size|window|length)[^\d]{0,40}(\d[\d,]{2,})/i,
  /(?:tokens exceed the configured limit of|token limit:|length is \d+ while limit is|tokens` must be <=|input length should be \[\d+,|\(TPM\): Limit) ([\d,]+)/i,
];

/** Reads the context window from an error about a prompt that is too long; undefined for any other error. */
export function windowIn(error: unknown): number | undefined {
  if (!isRefusedRequest(error)) return undefined;
  const message = withCause(error.message, error.error).slice(0, MOST_READ);
  const found = WINDOWS.map((each) => each.exec(message)?.[1]).find((each) => each !== undefined);
  const window = Number(found?.replaceAll(",", "") ?? objectIn(error.error)["n_ctx"]);
  return window >= 1 ? window : undefined;
}

/** Reads how many tokens the server counts in a prompt, from an error about a prompt that is too long. */
export function countedIn({ message }: StatusError): number {
  const [, request, input] =
    /\brequest \((\d+) tokens\)|\b(\d+) (?:input tokens|in the messages)/.exec(message) ?? [];
  return Number(request ?? input);
}
