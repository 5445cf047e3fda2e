// The bare loop: what a good engineer would write by hand over `openai` for the same debate and the same files, with
// no retries, guards, validation, events or resume. It is the yardstick: keep it honest, and never weaken it.
import { join } from "@std/path";
import { DEBATE_TEMPLATES as TEXTS } from "../../src/debate/prompts.ts";
import {
  type BareMade,
  type BareMessage,
  type BareScore,
  type BareVerdict,
  messageName,
  messageText,
  scoreText,
  shortId,
  verdictText,
  WEIGHTS,
  writeWhole,
} from "./bare_files.ts";
import {
  type BareDebate,
  indexTexts,
  metadataText,
  scoresText,
  summaryText,
} from "./bare_pages.ts";
import { type Answer, ask, type Format, SCORE, verdictFormat } from "./bare_model.ts";
import { BareTranscript, headFor, turnText } from "./bare_prompts.ts";

/** One debate of a candidate. */
export interface DebateSetting {
  readonly topic: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly rounds: number;
  /** The archive. */
  readonly out: string;
  /** The most tokens of a prompt; 0 is unbounded. */
  readonly maxPromptTokens: number;
  /** Whether the bare loop's judge has a beginning of its own. @default false: all share one */
  readonly judgeApart?: boolean;
  /** Milliseconds a search takes, where claims are checked; the bare loop checks none. @default none are */
  readonly search?: number;
}

interface Turn {
  readonly speaker: Speaker;
  readonly key: string;
  readonly phase: string;
  readonly kind: string;
  readonly round: number;
  readonly cap: number;
  readonly task: string;
  readonly answers?: BareMessage;
  readonly notes?: string;
}

interface Speaker {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly position: string | undefined;
}

const MODERATOR: Speaker = {
  id: "moderator",
  name: "Moderator",
  role: "moderator",
  position: undefined,
};

/** Runs one debate to its end. */
export async function bareDebate(setting: DebateSetting): Promise<void> {
  await new Loop(setting).run();
}

class Loop {
  readonly #setting: DebateSetting;
  readonly #head: string;
  readonly #sides: readonly (Speaker & { readonly position: string })[];
  readonly #transcript: BareTranscript;
  readonly #messages: BareMessage[] = [];
  readonly #names = new Map<number, string>();
  readonly #scores: BareScore[] = [];
  readonly #verdicts: BareVerdict[] = [];
  readonly #summaries = new Map<number, Promise<BareMessage>>();
  readonly #alongside: Promise<void>[] = [];
  readonly #startedAt = new Date().toISOString();
  #dir = "";
  #seq = 0;

  constructor(setting: DebateSetting) {
    const { topic, maxPromptTokens } = setting;
    this.#setting = setting;
    this.#sides = ["For", "Against"].map((stand, index) => ({
      id: `advocate-${"ab"[index]}`,
      name: `Advocate ${"AB"[index]}`,
      role: "position_advocate",
      position: `${stand}: ${topic}`,
    }));
    this.#head = headFor(topic, this.#sides);
    this.#transcript = new BareTranscript(maxPromptTokens, {
      head: this.#head,
      roundSummary: async (round) => (await this.#summaries.get(round))?.body,
    });
  }

  async run(): Promise<void> {
    await this.#claim();
    const [a, b] = this.#sides as [Speaker & { position: string }, Speaker & { position: string }];
    const { rounds } = this.#setting;
    await this.#introduce();
    const openings = await Promise.all([this.#opening(a), this.#opening(b)]);
    for (const opening of openings) await this.#transcript.give(opening);
    for (let round = 1; round <= rounds; round++) {
      for (const [one, other] of [[a, b], [b, a]] as const) {
        const argument = await this.#say(this.#argument(one, round));
        await this.#say(this.#rebuttal(other, one, argument));
      }
      this.#summaries.set(round, this.#speak(this.#roundSummary(round)));
    }
    for (const side of [a, b]) await this.#say(this.#closing(side));
    const verdicts = [this.#verdict(1, [a, b]), this.#verdict(2, [b, a])];
    const notes = (await Promise.all(this.#summaries.values()))
      .map((each) => `Your summary of round ${each.round}: ${each.body}`).join("\n\n");
    await this.#speak({
      speaker: MODERATOR,
      key: "summary/moderator",
      phase: "summary",
      kind: "summary",
      round: 0,
      cap: 400,
      task: TEXTS.summary,
      notes,
    });
    await Promise.all([...verdicts, ...this.#alongside]);
    await this.#finish();
  }

  async #introduce(): Promise<void> {
    const { topic, rounds } = this.#setting;
    const body = fill(TEXTS.introductionText, {
      topic,
      sides: this.#sides.map(({ name, position }) => `- ${name}: ${position}`).join("\n"),
      rounds: `${rounds} rounds`,
      nextSpeaker: this.#sides[0]!.name,
    });
    const at = new Date().toISOString();
    const made = { model: "template", input: 0, cached: 0, output: 0, latency: 0, at };
    const turn = {
      speaker: MODERATOR,
      key: "opening/moderator",
      phase: "opening",
      kind: "introduction",
      round: 0,
      cap: 0,
      task: "",
    };
    await this.#transcript.give(await this.#accept(turn, { seq: ++this.#seq, body, made }));
  }

  #opening(speaker: Speaker): Promise<BareMessage> {
    const task = fill(TEXTS.opening, { length: "about 220 words" });
    const key = `opening/${speaker.id}`;
    const kind = "opening_statement";
    return this.#speak({ speaker, key, phase: "opening", kind, round: 0, cap: 300, task });
  }

  #argument(speaker: Speaker, round: number): Turn {
    const task = fill(TEXTS.argument, { place: `Round ${round}`, length: "about 180 words" });
    const key = `round-${round}/argument/${speaker.id}`;
    return { speaker, key, phase: "argument", kind: "argument", round, cap: 250, task };
  }

  #rebuttal(speaker: Speaker, other: Speaker, answers: BareMessage): Turn {
    const { round, seq } = answers;
    const task = fill(TEXTS.rebuttal, {
      place: `Round ${round}`,
      opponent: other.name,
      answered: String(seq),
      length: "about 180 words",
    });
    const key = `round-${round}/rebuttal/${speaker.id}/${other.id}`;
    return { speaker, key, phase: "argument", kind: "rebuttal", round, cap: 250, task, answers };
  }

  #roundSummary(round: number): Turn {
    return {
      speaker: MODERATOR,
      key: `round-${round}/summary/moderator`,
      phase: "argument",
      kind: "round_summary",
      round,
      cap: 400,
      task: fill(TEXTS.roundSummary, { round: String(round) }),
    };
  }

  #closing(speaker: Speaker): Turn {
    const task = fill(TEXTS.closing, { length: "about 250 words" });
    const key = `closing/${speaker.id}`;
    const kind = "closing_statement";
    return { speaker, key, phase: "closing", kind, round: 0, cap: 350, task };
  }

  /** A turn that the next one waits for. */
  async #say(turn: Turn): Promise<BareMessage> {
    const message = await this.#speak(turn);
    await this.#transcript.give(message);
    return message;
  }

  async #speak(turn: Turn): Promise<BareMessage> {
    const { speaker, task, notes, cap } = turn;
    const seq = ++this.#seq;
    const shown = this.#transcript.text;
    const role = speaker.position === undefined
      ? fill(TEXTS.moderator, { name: speaker.name })
      : fill(TEXTS.advocate, {
        name: speaker.name,
        case: `You argue for this position: ${speaker.position}`,
      });
    const tail = notes ? `${role}\n\n${notes}\n\n${task}` : `${role}\n\n${task}`;
    const { text, made } = await this.#ask(shown + tail, cap);
    const message = await this.#accept(turn, { seq, body: text.trim(), made });
    if (speaker.position !== undefined) {
      this.#alongside.push(this.#score(message, shown + turnText(message)));
    }
    return message;
  }

  async #accept(
    { speaker, key, phase, kind, round, answers }: Turn,
    { seq, body, made }: { seq: number; body: string; made: BareMade },
  ): Promise<BareMessage> {
    const message: BareMessage = {
      seq,
      key,
      ...speaker,
      phase,
      kind,
      round,
      replyTo: answers?.seq,
      previous: this.#transcript.lastSeq,
      body,
      made,
    };
    const name = messageName(message);
    this.#names.set(seq, name);
    const text = messageText(message, this.#names);
    await writeWhole(join(this.#dir, "messages"), name, { text, truth: true });
    this.#messages.push(message);
    return message;
  }

  async #score({ seq, id, name }: BareMessage, shown: string): Promise<void> {
    const task = fill(TEXTS.score, {
      answered: String(seq),
      opponent: name,
      seen: `Its speaker had seen turns 1 to ${seq - 1}.`,
      task: TEXTS.argument,
      ordinary: "5 and 7",
      steps: "whole and half points",
    });
    const { text, made } = await this.#ask(
      `${shown}${fill(TEXTS.judge, { name: "Judge" })}\n\n${task}`,
      800,
      SCORE,
    );
    const { scores, reasons } = JSON.parse(text);
    let total = 0;
    for (const [key, weight] of Object.entries(WEIGHTS)) total += scores[key] * weight;
    const score = { seq, id, scores, total: Math.round(total * 1e4) / 1e4, reasons, made };
    this.#scores.push(score);
    await writeWhole(
      join(this.#dir, "scores"),
      `${String(seq).padStart(3, "0")}_${shortId("judge|" + made.model + "|debate")}.md`,
      { text: scoreText(score), truth: true },
    );
  }

  async #verdict(number: number, sides: readonly Speaker[]): Promise<void> {
    const task = fill(TEXTS.verdict, {
      sides: sides.map(({ name, position }) => `- ${name}: ${position}`).join("\n"),
      nextAction: Object.keys(WEIGHTS).join(", "),
    });
    const names = sides.map(({ name }) => name);
    const prompt = `${this.#transcript.text}${fill(TEXTS.judge, { name: "Judge" })}\n\n${task}`;
    const { text, made } = await this.#ask(prompt, 800, verdictFormat(names));
    const { winner, reasons } = JSON.parse(text);
    const verdict = {
      number,
      order: sides.map(({ id }) => id),
      winner: sides.find(({ name }) => name === winner)?.id ?? null,
      reasons,
      made,
    };
    this.#verdicts.push(verdict);
    await writeWhole(
      join(this.#dir, "verdicts"),
      `${shortId("judge|" + made.model + "|debate")}_${number}.md`,
      { text: verdictText(verdict), truth: true },
    );
  }

  #ask(content: string, cap: number, format?: Format): Promise<Answer> {
    const { model, baseUrl, judgeApart = false } = this.#setting;
    const head = judgeApart && format !== undefined ? `You judge.\n\n${this.#head}` : this.#head;
    return ask(baseUrl, { model, head, content, cap, format });
  }

  async #claim(): Promise<void> {
    const day = join(this.#setting.out, this.#startedAt.slice(0, 10));
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
    for (const folder of ["messages", "scores", "verdicts"]) {
      await Deno.mkdir(join(this.#dir, folder));
    }
    await this.#writeMetadata("running");
  }

  #debate(status: BareDebate["status"]): BareDebate {
    const { topic, rounds, model } = this.#setting;
    return {
      topic,
      status,
      startedAt: this.#startedAt,
      endedAt: status === "completed" ? new Date().toISOString() : undefined,
      rounds,
      model,
      sides: this.#sides,
      messages: this.#messages.toSorted((a, b) => a.seq - b.seq),
      names: this.#names,
      scores: this.#scores.toSorted((a, b) => a.seq - b.seq),
      verdicts: this.#verdicts.toSorted((a, b) => a.number - b.number),
    };
  }

  async #writeMetadata(status: BareDebate["status"]): Promise<void> {
    const text = metadataText(this.#debate(status));
    await writeWhole(this.#dir, "metadata.md", { text, truth: true });
  }

  async #finish(): Promise<void> {
    const debate = this.#debate("completed");
    const tokens = await this.#transcript.counter();
    const texts = indexTexts(debate, tokens);
    texts.set("summary.md", summaryText(debate));
    texts.set("scores.md", scoresText(debate));
    if (texts.has("pages/001.md")) await Deno.mkdir(join(this.#dir, "pages"));
    for (const [path, text] of texts) {
      const paged = path.startsWith("pages/");
      const folder = paged ? join(this.#dir, "pages") : this.#dir;
      await writeWhole(folder, paged ? path.slice(6) : path, { text, truth: false });
    }
    await this.#writeMetadata("completed");
  }
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([A-Za-z]+)\}/g, (whole, key: string) => values[key] ?? whole);
}
