// deno-lint-ignore-file camelcase -- the files of a record have their own names
// The bare loop: the same debate with the same requests and files, written by hand over `openai` without retries, guards,
// validation, events or resume. The yardstick of the benchmark: keep it honest, and never weaken it.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "@std/path";
import { OpenAI } from "openai";
import { DEBATE_TEMPLATES as TEXTS } from "../../src/debate/formats.ts";
import { BareTranscript, headOf, turnText } from "./bare_prompts.ts";
import type { DebateTask } from "./bench.ts";

/** Model, usage and times of a reply, as files have them. */
type Made = Readonly<Record<string, unknown>>;

export interface BareMessage extends Turn {
  readonly seq: number;
  readonly body: string;
  readonly made: Made;
}

/** A participant. */
export interface Speaker {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly position?: string;
}
type Side = Required<Speaker>;

/** A turn to be spoken. */
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

interface Score {
  readonly seq: number;
  readonly participant: string;
  readonly criteria: Readonly<Record<string, number>>;
  readonly total: number;
}

const WEIGHTS = {
  logical_coherence: 0.25,
  evidence_quality: 0.25,
  responsiveness: 0.2,
  persuasiveness: 0.15,
  rule_adherence: 0.15,
} as const;
const MODERATOR: Speaker = { id: "moderator", name: "Moderator", role: "moderator" };

/** Runs one debate to its end. */
export async function bareDebate(task: DebateTask): Promise<void> {
  await new Loop(task).run();
}

class Loop {
  readonly #task: DebateTask;
  readonly #head: string;
  readonly #sides: readonly Side[];
  readonly #transcript: BareTranscript;
  readonly #messages: BareMessage[] = [];
  readonly #scores: Score[] = [];
  readonly #verdicts: (string | null)[] = [];
  readonly #summaries = new Map<number, Promise<BareMessage>>();
  readonly #alongside: Promise<void>[] = [];
  readonly #startedAt = new Date().toISOString();
  #dir = "";
  #seq = 0;

  constructor(task: DebateTask) {
    const { topic, maxPromptTokens } = task;
    this.#task = task;
    this.#sides = ["For", "Against"].map((stand, at) => ({
      id: `advocate-${"ab"[at]}`,
      name: `Advocate ${"AB"[at]}`,
      role: "position_advocate",
      position: `${stand}: ${topic}`,
    }));
    this.#head = headOf(topic, this.#sides);
    const summaryOf = async (round: number) => (await this.#summaries.get(round))?.body;
    this.#transcript = new BareTranscript(maxPromptTokens, this.#head, summaryOf);
  }

  async run(): Promise<void> {
    await this.#claim();
    const [a, b] = this.#sides as [Side, Side];
    await this.#introduce();
    for (const opening of await Promise.all([a, b].map((side) => this.#speak(openingOf(side))))) {
      await this.#transcript.give(opening);
    }
    for (let round = 1; round <= this.#task.rounds; round++) {
      for (const [one, other] of [[a, b], [b, a]] as const) {
        const argument = await this.#say(argumentOf(one, round));
        await this.#say(rebuttalOf(other, one, argument));
      }
      const task = fill(TEXTS.roundSummary, { round: String(round) });
      const key = `round-${round}/summary/moderator`;
      const turn = { phase: "argument", kind: "round_summary", round, cap: 400, task, key };
      this.#summaries.set(round, this.#speak({ ...turn, speaker: MODERATOR }));
    }
    for (const side of [a, b]) await this.#say(closingOf(side));
    const verdicts = [this.#verdict(1, [a, b]), this.#verdict(2, [b, a])];
    const notes = (await Promise.all(this.#summaries.values()))
      .map(({ round, body }) => `Your summary of round ${round}: ${body}\n\n`).join("");
    const summary = { phase: "summary", kind: "summary", key: "summary/moderator", round: 0 };
    await this.#speak({ ...summary, speaker: MODERATOR, cap: 400, task: notes + TEXTS.summary });
    await Promise.all([...verdicts, ...this.#alongside]);
    await this.#finish();
  }

  async #introduce(): Promise<void> {
    const { topic, rounds } = this.#task;
    const body = fill(TEXTS.introductionText, {
      topic,
      sides: sidesText(this.#sides),
      rounds: `${rounds} rounds`,
      nextSpeaker: this.#sides[0]!.name,
    });
    const made = { model: "template", usage: {}, latency_ms: 0, created_at: this.#startedAt };
    const turn = { speaker: MODERATOR, key: "opening/moderator", phase: "opening", cap: 0 };
    const message = { ...turn, kind: "introduction", round: 0, task: "", seq: ++this.#seq };
    await this.#transcript.give(await this.#keep({ ...message, body, made }));
  }

  /** A turn that the next one waits for. */
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
    const text = page({ ...front, ...answered, ...more }, body);
    await this.#write(`messages/${nameOf(message)}`, text);
    this.#messages.push(message);
    return message;
  }

  async #score({ seq, speaker: { id, name } }: BareMessage, shown: string): Promise<void> {
    const task = fill(TEXTS.score, {
      answered: String(seq),
      opponent: name,
      seen: `Its speaker had seen turns 1 to ${seq - 1}.`,
      task: TEXTS.argument,
    });
    const { scores: criteria, reasons, made } = await this.#judge(shown, task, SCORE);
    const total = round4(
      Object.entries(WEIGHTS).reduce((sum, [id, w]) => sum + criteria[id] * w, 0),
    );
    const score = { seq, participant: id, criteria, total };
    this.#scores.push(score);
    const judged = { message: seq, judge: "judge", rubric: "debate", weights: WEIGHTS };
    const path = `scores/${String(seq).padStart(3, "0")}_${shortId("judge")}.md`;
    await this.#write(path, page({ type: "score", ...judged, ...score, ...made }, reasons));
  }

  async #verdict(number: number, sides: readonly Side[]): Promise<void> {
    const nextAction = Object.keys(WEIGHTS).join(", ");
    const task = fill(TEXTS.verdict, { sides: sidesText(sides), nextAction });
    const format = verdictFormat(sides.map(({ name }) => name));
    const { winner, reasons, made } = await this.#judge(this.#transcript.text, task, format);
    const won = sides.find(({ name }) => name === winner)?.id ?? null;
    this.#verdicts.push(won);
    const order = sides.map(({ id }) => id);
    const front = { type: "verdict", judge: "judge", rubric: "debate", number, order, winner: won };
    const path = `verdicts/${shortId("judge")}_${number}.md`;
    await this.#write(path, page({ ...front, ...made }, reasons));
  }

  async #judge(shown: string, task: string, format: Format) {
    const role = `${fill(TEXTS.judge, { name: "Judge" })} ${TEXTS.scoring}`;
    const { text, made } = await this.#ask(`${shown}${role}\n\n${task}`, 800, format);
    return { ...JSON.parse(text), made };
  }

  /** Asks once, streaming, with usage. */
  async #ask(
    content: string,
    cap: number,
    format?: Format,
  ): Promise<{ readonly text: string; readonly made: Made }> {
    const { model, baseUrl, judgeApart } = this.#task;
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
    const name = `${this.#startedAt.slice(0, 19).replaceAll(":", "-")}_debate`;
    await Deno.mkdir(day, { recursive: true });
    for (let number = 1; this.#dir === ""; number++) {
      const dir = join(day, number === 1 ? name : `${name}-${number}`);
      try {
        await Deno.mkdir(dir);
        this.#dir = dir;
      } catch (error) {
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      }
    }
    for (const folder of ["messages", "scores", "verdicts", "pages"]) {
      await Deno.mkdir(join(this.#dir, folder));
    }
    await this.#write("metadata.md", page(this.#state("running"), `# ${this.#task.topic}\n`));
  }

  /** Writes a file whole: a temporary name, flushed, renamed, and for a truth file the folder flushed. */
  async #write(path: string, text: string, isTruth = true): Promise<void> {
    const [name, folder = ""] = path.split("/").reverse();
    const temporary = join(this.#dir, folder, `.${name}.tmp`);
    const file = await Deno.open(temporary, { write: true, create: true, truncate: true });
    let rest: Uint8Array = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(await file.write(rest));
    await file.syncData();
    file.close();
    await Deno.rename(temporary, join(this.#dir, path));
    if (!isTruth) return;
    const list = await Deno.open(join(this.#dir, folder));
    await list.sync();
    list.close();
  }

  /** The state of the debate, with standings by participant. */
  #state(status: "running" | "completed"): Record<string, unknown> {
    const { topic, rounds, model } = this.#task;
    const [first = null, second = null] = this.#verdicts;
    const scores = Object.fromEntries(this.#sides.map(({ id, name }) => {
      const own = this.#scores.filter(({ participant }) => participant === id);
      const mean = (of: (score: Score) => number) =>
        round4(own.reduce((sum, score) => sum + of(score), 0) / Math.max(1, own.length));
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

  /** Writes the derived files: summary, scores, and the messages in pages with gists and tokens. */
  async #finish(): Promise<void> {
    const state = this.#state("completed");
    const count = await this.#transcript.counter();
    const messages = this.#messages.toSorted((a, b) => a.seq - b.seq);
    const rows = messages.map((each) => {
      const { seq, round, speaker: { name }, kind, body } = each;
      const gist = firstWords(body).replace(/[\\`*_[\]<>|]/g, "\\$&");
      return `| [${seq}](../messages/${nameOf(each)}) | ${round} | ${name} | ${kind} | ${
        count(body)
      } | ${gist} |`;
    });
    const pages: string[] = [];
    for (let at = 0; at < rows.length; at += PAGE) {
      const path = `pages/${String(pages.length + 1).padStart(3, "0")}.md`;
      await this.#write(path, page({ type: "page" }, rows.slice(at, at + PAGE).join("\n")), false);
      pages.push(`| [${at + 1}](${path}) |`);
    }
    const summary = messages.find(({ kind }) => kind === "summary")?.body ?? "";
    const table = Object.entries(state["scores"] as object)
      .map(([id, standing]) => `| ${id} | ${JSON.stringify(standing)} |`).join("\n");
    await this.#write("index.md", page({ ...state, type: "index" }, pages.join("\n")), false);
    await this.#write("summary.md", page({ type: "summary" }, `${summary}\n\n${table}`), false);
    await this.#write("scores.md", page({ type: "scores" }, table), false);
    await this.#write("metadata.md", page(state, `# ${this.#task.topic}\n`));
  }
}

/** Messages of a page. */
const PAGE = 24;

function openingOf(speaker: Speaker): Turn {
  const task = fill(TEXTS.opening, { length: "about 220 words" });
  const key = `opening/${speaker.id}`;
  return { key, phase: "opening", kind: "opening_statement", speaker, round: 0, cap: 300, task };
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

function closingOf(speaker: Speaker): Turn {
  const task = fill(TEXTS.closing, { length: "about 250 words" });
  const key = `closing/${speaker.id}`;
  return { key, phase: "closing", kind: "closing_statement", speaker, round: 0, cap: 350, task };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([A-Za-z]+)\}/g, (whole, key: string) => values[key] ?? whole);
}

function sidesText(sides: readonly Side[]): string {
  return sides.map(({ name, position }) => `- ${name}: ${position}`).join("\n");
}

function page(front: Readonly<Record<string, unknown>>, body: string): string {
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

/** The first sentence, at most 140 characters. */
function firstWords(body: string): string {
  const end = body.search(/[.!?](?:\s|$)/);
  return body.slice(0, Math.min(end === -1 ? 140 : end + 1, 140)).replace(/\s+/g, " ");
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

/** The shape of a reply. */
type Format = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming["response_format"];

const NUMBER = { type: "number", minimum: 0, maximum: 10 };
const REASONS = { type: "string" };
const SCORE = formatOf("score", {
  reasons: REASONS,
  scores: objectOf(Object.fromEntries(Object.keys(WEIGHTS).map((key) => [key, NUMBER]))),
});

function verdictFormat(names: readonly string[]): Format {
  const winner = { type: "string", enum: [...names, "tie"] };
  return formatOf("verdict", { reasons: REASONS, winner, mainReason: REASONS });
}

function formatOf(name: string, properties: Record<string, unknown>): Format {
  return { type: "json_schema", json_schema: { name, strict: true, schema: objectOf(properties) } };
}

function objectOf(properties: Record<string, unknown>): Record<string, unknown> {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}
