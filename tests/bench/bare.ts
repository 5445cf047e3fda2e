// Baseline of the benchmark ("bare"): the same debate with the same requests and files, written by hand over `openai`
// without retries, guards, validation, events or resume. Keep the baseline honest: never make it slower.
// deno-lint-ignore-file camelcase -- the files of a record have their own names
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "@std/path";
import { OpenAI } from "openai";
import texts from "../../src/data/prompts/debate.json" with { type: "json" };
import english from "../../src/debate/moderation.en.json" with { type: "json" };
import { BareTranscript, headOf, turnText } from "./bare_prompts.ts";
import type { DebateTask } from "./bench.ts";

type Front = Readonly<Record<string, unknown>>;

export interface Speaker {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly position?: string;
}

/** A turn to speak. */
interface Turn {
  readonly speaker: Speaker;
  readonly key: string;
  readonly phase: string;
  readonly kind: string;
  readonly round: number;
  readonly cap: number;
  readonly task: string;
  readonly answers?: BareMessage;
}

/** A message; `made` has model, usage and times, as in the files. */
export interface BareMessage extends Turn {
  readonly seq: number;
  readonly body: string;
  readonly made: Front;
}

interface Score {
  readonly participant: string;
  readonly criteria: Readonly<Record<string, number>>;
  readonly total: number;
}

/** The library's own texts; importing its modules would count as the baseline's start. */
const TEXTS = Object.fromEntries(
  Object.entries(texts).map(([name, lines]) => [name, lines.join(" ").replaceAll(" \n", "\n")]),
) as Record<keyof typeof texts, string>;

const WEIGHTS = {
  logical_coherence: 0.25,
  evidence_quality: 0.25,
  responsiveness: 0.2,
  persuasiveness: 0.15,
  rule_adherence: 0.15,
} as const;
const MODERATOR: Speaker = { id: "moderator", name: "Moderator", role: "moderator" };
/** Number of messages on an index page. */
const PAGE = 24;

/** Runs a debate to its end. */
export async function bareDebate(task: DebateTask): Promise<void> {
  await new Loop(task).run();
}

class Loop {
  readonly #task: DebateTask;
  readonly #head: string;
  readonly #sides: readonly [Speaker, Speaker];
  readonly #transcript: BareTranscript;
  readonly #messages: BareMessage[] = [];
  readonly #scores: Score[] = [];
  readonly #winners: (string | null)[] = [];
  readonly #summaries = new Map<number, Promise<BareMessage>>();
  readonly #alongside: Promise<void>[] = [];
  readonly #startedAt = new Date().toISOString();
  #dir = "";
  #seq = 0;

  constructor(task: DebateTask) {
    const { topic, maxPromptTokens } = task;
    const role = "position_advocate";
    this.#task = task;
    this.#sides = [
      { id: "advocate-a", name: "Advocate A", role, position: `For: ${topic}` },
      { id: "advocate-b", name: "Advocate B", role, position: `Against: ${topic}` },
    ];
    this.#head = headOf(topic, this.#sides);
    const summaryOf = async (round: number) => (await this.#summaries.get(round))?.body;
    this.#transcript = new BareTranscript(maxPromptTokens, this.#head, summaryOf);
  }

  async run(): Promise<void> {
    await this.#claim();
    await this.#introduce();
    const openings = this.#sides.map((side) => this.#speak(sideTurn(side, "opening", 220, 300)));
    for (const opening of await Promise.all(openings)) await this.#transcript.give(opening);
    const [a, b] = this.#sides;
    for (let round = 1; round <= this.#task.rounds; round++) {
      for (const [one, other] of [[a, b], [b, a]] as const) {
        const argument = await this.#say(argumentOf(one, round));
        await this.#say(rebuttalOf(other, one, argument));
      }
      const task = fill(TEXTS.roundSummary, { round: String(round) });
      const place = { phase: "argument", kind: "round_summary", round };
      const key = `round-${round}/summary/moderator`;
      this.#summaries.set(
        round,
        this.#speak({ speaker: MODERATOR, key, ...place, cap: 400, task }),
      );
    }
    for (const side of this.#sides) await this.#say(sideTurn(side, "closing", 250, 350));
    const verdicts = [this.#verdict(1, [a, b]), this.#verdict(2, [b, a])];
    const notes = (await Promise.all(this.#summaries.values()))
      .map(({ round, body }) =>
        `Your summary of round ${round}:\n<summary>\n${body}\n</summary>\n\n`
      ).join("");
    const place = { key: "summary/moderator", phase: "summary", kind: "summary", round: 0 };
    await this.#speak({ speaker: MODERATOR, ...place, cap: 400, task: notes + TEXTS.summary });
    await Promise.all([...verdicts, ...this.#alongside]);
    await this.#finish();
  }

  async #introduce(): Promise<void> {
    const { topic, rounds } = this.#task;
    const values = { topic, sides: sidesText(this.#sides), rounds: `${rounds} rounds` };
    const body = fill(english.introduction.formal, { ...values, nextSpeaker: this.#sides[0].name });
    const made = { model: "template", usage: {}, latency_ms: 0, created_at: this.#startedAt };
    const place = { key: "opening/moderator", phase: "opening", kind: "introduction", round: 0 };
    const turn = { speaker: MODERATOR, ...place, cap: 0, task: "", seq: ++this.#seq };
    await this.#transcript.give(await this.#keep({ ...turn, body, made }));
  }

  /** Speaks a turn that the next turn waits for. */
  async #say(turn: Turn): Promise<BareMessage> {
    const message = await this.#speak(turn);
    await this.#transcript.give(message);
    return message;
  }

  async #speak(turn: Turn): Promise<BareMessage> {
    const { speaker: { name, position }, task, cap } = turn;
    const seq = ++this.#seq;
    const shown = this.#transcript.text;
    const stand = { name, case: `You argue for this position: ${position}` };
    const role = position === undefined
      ? fill(TEXTS.moderator, { name })
      : `${fill(TEXTS.advocate, stand)}\n${TEXTS.speaking}`;
    const { text, made } = await this.#ask(`${shown}${role}\n\n${task}`, cap);
    const message = await this.#keep({ ...turn, seq, body: text.trim(), made });
    if (position !== undefined) {
      this.#alongside.push(this.#score(message, shown + turnText(message)));
    }
    return message;
  }

  async #keep(message: BareMessage): Promise<BareMessage> {
    const { seq, key, speaker, phase, kind, round, answers, body, made } = message;
    const { id: participant, ...rest } = speaker;
    const front = { type: "message", seq, turn: key, participant, ...rest, phase, kind, round };
    const answered = answers && { reply_to: answers.seq, answers: nameOf(answers) };
    const sha256 = createHash("sha256").update(body).digest("hex");
    const more = { gist: firstWords(body), attempts: 1, marks: [], ...made, sha256 };
    await this.#write(`messages/${nameOf(message)}`, { ...front, ...answered, ...more }, body);
    this.#messages.push(message);
    return message;
  }

  async #score({ seq, speaker: { id, name } }: BareMessage, shown: string): Promise<void> {
    const values = { answered: String(seq), opponent: name, task: TEXTS.argument };
    const seen = `Its speaker had seen turns 1 to ${seq - 1}.`;
    const task = fill(TEXTS.score, { ...values, seen });
    const { scores: criteria, reasons, made } = await this.#judge(shown, task, SCORE);
    const weighted = Object.entries(WEIGHTS).map(([key, weight]) => criteria[key] * weight);
    const score = { participant: id, criteria, total: round4(sum(weighted)) };
    this.#scores.push(score);
    const front = { type: "score", message: seq, judge: "judge", rubric: "debate" };
    const path = `scores/${String(seq).padStart(3, "0")}_${shortId("judge")}.md`;
    await this.#write(path, { ...front, weights: WEIGHTS, seq, ...score, ...made }, reasons);
  }

  async #verdict(number: number, sides: readonly Speaker[]): Promise<void> {
    const nextAction = Object.keys(WEIGHTS).join(", ");
    const task = fill(TEXTS.verdict, { sides: sidesText(sides), nextAction });
    const named = { type: "string", enum: [...sides.map(({ name }) => name), "tie"] };
    const format = formatOf("verdict", { reasons: TEXT, winner: named, mainReason: TEXT });
    const found = await this.#judge(this.#transcript.text, task, format);
    const winner = sides.find(({ name }) => name === found.winner)?.id ?? null;
    this.#winners.push(winner);
    const order = sides.map(({ id }) => id);
    const front = { type: "verdict", judge: "judge", rubric: "debate", number, order, winner };
    const path = `verdicts/${shortId("judge")}_${number}.md`;
    await this.#write(path, { ...front, ...found.made }, found.reasons);
  }

  async #judge(shown: string, task: string, format: Format) {
    const role = `${fill(TEXTS.judge, { name: "Judge" })} ${TEXTS.scoring}`;
    const { text, made } = await this.#ask(`${shown}${role}\n\n${task}`, 800, format);
    return { ...JSON.parse(text), made };
  }

  /** Sends a streaming request with usage. */
  async #ask(
    content: string,
    cap: number,
    format?: Format,
  ): Promise<{ text: string; made: Front }> {
    const { model, baseUrl, judgeApart = false } = this.#task;
    const head = judgeApart && format !== undefined ? `You judge.\n\n${this.#head}` : this.#head;
    const started = Date.now();
    const stream = await clientOf(baseUrl).chat.completions.create({
      model,
      messages: [{ role: "system", content: head }, { role: "user", content }],
      max_tokens: cap,
      stream: true,
      stream_options: { include_usage: true },
      ...format === undefined ? {} : { response_format: format },
    });
    let text = "";
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      usage = chunk.usage ?? usage;
    }
    const { prompt_tokens: input_tokens = 0, completion_tokens: output_tokens = 0 } = usage ?? {};
    const times = { latency_ms: Date.now() - started, created_at: new Date().toISOString() };
    return { text, made: { model, usage: { input_tokens, output_tokens }, ...times } };
  }

  async #claim(): Promise<void> {
    const day = join(this.#task.out, this.#startedAt.slice(0, 10));
    const prefix = `${this.#startedAt.slice(0, 19).replaceAll(":", "-")}_debate-`;
    await Deno.mkdir(day, { recursive: true });
    this.#dir = await Deno.makeTempDir({ dir: day, prefix });
    for (const folder of ["messages", "scores", "verdicts", "pages"]) {
      await Deno.mkdir(join(this.#dir, folder));
    }
    await this.#write("metadata.md", this.#state("running"), `# ${this.#task.topic}\n`);
  }

  /** Writes a file atomically: temporary name, flush, rename; for a fact's file also a flush of the folder. */
  async #write(path: string, front: Front, body: string, isTruth = true): Promise<void> {
    const [name, folder = ""] = path.split("/").reverse();
    const temporary = join(this.#dir, folder, `.${name}.tmp`);
    const file = await Deno.open(temporary, { write: true, create: true, truncate: true });
    let rest: Uint8Array = Buffer.from(page(front, body));
    while (rest.length > 0) rest = rest.subarray(await file.write(rest));
    await file.syncData();
    file.close();
    await Deno.rename(temporary, join(this.#dir, path));
    if (!isTruth) return;
    const list = await Deno.open(join(this.#dir, folder));
    await list.sync();
    list.close();
  }

  /** Returns the state of the debate with standings by participant. */
  #state(status: "running" | "completed"): Front {
    const { topic, rounds, model } = this.#task;
    const [first = null, second = null] = this.#winners;
    const scores = Object.fromEntries(this.#sides.map(({ id, name }) => {
      const own = this.#scores.filter(({ participant }) => participant === id);
      const mean = (of: (score: Score) => number) =>
        round4(sum(own.map(of)) / Math.max(1, own.length));
      const means = Object.keys(WEIGHTS).map((key) => [key, mean((each) => each.criteria[key]!)]);
      const breakdown = Object.fromEntries(means);
      return [id, { name, total: mean(({ total }) => total), breakdown, scored: own.length }];
    }));
    return {
      type: "metadata",
      kind: "debate",
      topic,
      status,
      winner: first === second ? first : null,
      scores,
      participants: [MODERATOR, ...this.#sides],
      messages: this.#messages.length,
      started_at: this.#startedAt,
      ended_at: status === "completed" ? new Date().toISOString() : null,
      configuration: { kind: "debate", topic, model, roundCount: rounds },
    };
  }

  /** Writes the derived files: summary, scores, and index pages of the messages with gists and tokens. */
  async #finish(): Promise<void> {
    const state = this.#state("completed");
    const count = await this.#transcript.counter();
    const messages = this.#messages.toSorted((a, b) => a.seq - b.seq);
    const rows = messages.map((each) => {
      const { seq, round, speaker: { name }, kind, body } = each;
      const gist = firstWords(body).replace(/[\\`*_[\]<>|]/g, "\\$&");
      const link = `[${seq}](../messages/${nameOf(each)})`;
      return `| ${link} | ${round} | ${name} | ${kind} | ${count(body)} | ${gist} |`;
    });
    const pages: string[] = [];
    for (let at = 0; at < rows.length; at += PAGE) {
      const path = `pages/${String(pages.length + 1).padStart(3, "0")}.md`;
      await this.#write(path, { type: "page" }, rows.slice(at, at + PAGE).join("\n"), false);
      pages.push(`| [${at + 1}](${path}) |`);
    }
    const summary = messages.find(({ kind }) => kind === "summary")?.body ?? "";
    const table = Object.entries(state["scores"] as object)
      .map(([id, standing]) => `| ${id} | ${JSON.stringify(standing)} |`).join("\n");
    await this.#write("index.md", { ...state, type: "index" }, pages.join("\n"), false);
    await this.#write("summary.md", { type: "summary" }, `${summary}\n\n${table}`, false);
    await this.#write("scores.md", { type: "scores" }, table, false);
    await this.#write("metadata.md", state, `# ${this.#task.topic}\n`);
  }
}

/** Returns an opening or closing turn with a number of words and a token cap. */
function sideTurn(
  speaker: Speaker,
  phase: "opening" | "closing",
  words: number,
  cap: number,
): Turn {
  const task = fill(TEXTS[phase], { length: `about ${words} words` });
  const place = { key: `${phase}/${speaker.id}`, phase, kind: `${phase}_statement`, round: 0 };
  return { speaker, ...place, cap, task };
}

function argumentOf(speaker: Speaker, round: number): Turn {
  const task = fill(TEXTS.argument, { place: `Round ${round}`, length: "about 180 words" });
  const key = `round-${round}/argument/${speaker.id}`;
  return { speaker, key, phase: "argument", kind: "argument", round, cap: 250, task };
}

function rebuttalOf(speaker: Speaker, other: Speaker, answers: BareMessage): Turn {
  const { round, seq } = answers;
  const words = { place: `Round ${round}`, length: "about 180 words" };
  const task = fill(TEXTS.rebuttal, { ...words, opponent: other.name, answered: String(seq) });
  const key = `round-${round}/rebuttal/${speaker.id}/${other.id}`;
  return { speaker, key, phase: "argument", kind: "rebuttal", round, cap: 250, task, answers };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([A-Za-z]+)\}/g, (whole, key: string) => values[key] ?? whole);
}

function sidesText(sides: readonly Speaker[]): string {
  return sides.map(({ name, position }) => `- ${name}: ${position}`).join("\n");
}

function page(front: Front, body: string): string {
  const lines = Object.entries({ format: "convenings/1", ...front })
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n${body}`;
}

function nameOf({ seq, speaker: { role, id } }: BareMessage): string {
  return `${String(seq).padStart(3, "0")}_${role}_${shortId(id)}.md`;
}

function shortId(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 8);
}

/** Returns the first sentence, at most 140 characters. */
function firstWords(body: string): string {
  const end = body.search(/[.!?](?:\s|$)/);
  return body.slice(0, Math.min(end === -1 ? 140 : end + 1, 140)).replace(/\s+/g, " ");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

function round4(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

const clients = new Map<string, OpenAI>();

function clientOf(baseURL: string): OpenAI {
  const nothing = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };
  const quiet = { logLevel: "off", maxRetries: 0 } as const;
  const client = clients.get(baseURL) ??
    new OpenAI({ baseURL, apiKey: "none", ...nothing, ...quiet });
  clients.set(baseURL, client);
  return client;
}

/** Response format of a request. */
type Format = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming["response_format"];

const TEXT = { type: "string" };
const NUMBER = { type: "number", minimum: 0, maximum: 10 };
const SCORE = formatOf("score", {
  reasons: TEXT,
  scores: objectOf(Object.fromEntries(Object.keys(WEIGHTS).map((key) => [key, NUMBER]))),
});

function formatOf(name: string, properties: Record<string, unknown>): Format {
  return { type: "json_schema", json_schema: { name, strict: true, schema: objectOf(properties) } };
}

function objectOf(properties: Record<string, unknown>): Record<string, unknown> {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}
