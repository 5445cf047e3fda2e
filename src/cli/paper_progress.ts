// Progress lines that only paper debates have.
import type { ConveningEvent, ConveningStart, TurnInfo } from "../core/event.ts";
import type { Message, Usage } from "../core/message.ts";
import { posturesIn, questionsIn } from "../papers/text/lists.ts";
import { figuresIn } from "../core/paper.ts";
import type { Evidence } from "../core/fact.ts";
import { fieldOf } from "../core/turn.ts";
import { number, pipedLine, soFar } from "./progress_lines.ts";
import { figuresWords } from "../record/words.ts";

/** Kinds of turns with a list, shown when complete. */
const LISTS: readonly string[] = ["questions", "postures"];
/** Kinds of concurrent turns; each is shown by a line at its start and a line at its end. */
const CONCURRENT: readonly string[] = ["argument", "cross_examination"];

export class PaperProgress {
  readonly #live: boolean;
  #start: ConveningStart | undefined;
  #questions: readonly unknown[] = [];
  /** True once a debater's start was shown. */
  #begun = false;
  /** Evidence by the turn's key, until the message of the turn. */
  readonly #evidence = new Map<string, Evidence>();

  constructor(live: boolean) {
    this.#live = live;
  }

  /** Returns the lines of an event, possibly none; undefined if the event is shown as in other kinds. */
  take(event: ConveningEvent, start: ConveningStart | undefined): readonly string[] | undefined {
    this.#start = start;
    if (start?.kind !== "paper-debate") return undefined;
    switch (event.type) {
      case "stage":
        return this.#stage(event.name, event.data);
      case "phase-start":
        return [];
      case "turn-start":
        return this.#begin(event.turn);
      case "turn-wait":
        return event.turn.kind === "pick"
          ? [`waiting for ${event.turn.name}`, ...event.task.split("\n")]
          : undefined;
      case "evidence":
        this.#evidence.set(event.evidence.turn, event.evidence);
        return [];
      case "message":
        return this.#message(event.message, event.usage);
      case "message-reset":
        return this.#trouble(event.turn, ` begins again: ${event.reason}`);
      case "turn-reject": {
        const { rejection: { attempt, reason, ...turn } } = event;
        return this.#trouble(turn, `: attempt ${attempt} was rejected: ${reason}`);
      }
      case "turn-fail":
        return this.#trouble(event.failure, ` failed: ${event.failure.message}`, true);
      default:
        return undefined;
    }
  }

  /** Returns the line for a problem of a concurrent turn; undefined for another turn, or if the line is not shown. */
  #trouble(
    { turn, participant }: Pick<TurnInfo, "turn" | "participant">,
    problem: string,
    isShown = this.#live,
  ): readonly string[] | undefined {
    if (!isShown || !CONCURRENT.includes(turn.split("/")[0]!)) return undefined;
    const named = this.#start?.participants.find(({ id }) => id === participant);
    return [`${named?.name ?? participant}${problem}`];
  }

  #begin({ kind, name }: TurnInfo): readonly string[] | undefined {
    if (LISTS.includes(kind)) return [];
    if (kind === "cross_examination") return [`${name} answers the others`];
    if (kind !== "argument") return undefined;
    return this.#begun ? [] : [`${name} argues`];
  }

  #message(message: Message, usage: Usage): readonly string[] | undefined {
    const { kind, name, body, seq, turn, position = "" } = message;
    const piped = (...parts: readonly string[]) => [
      pipedLine(message, usage, parts.filter((each) => each !== "").join(" · ")),
    ];
    if (kind === "questions") {
      const count = `${questionsIn(body).length} questions`;
      if (!this.#live) return piped(count);
      // A person who picks the question sees the list in the prompt.
      return this.#asks ? [count] : undefined;
    }
    if (kind === "postures" && !this.#live) {
      const { postures, topics } = posturesIn(body);
      return piped(`${postures.length} postures, ${topics.length} topics`);
    }
    if (!CONCURRENT.includes(kind)) return undefined;
    const evidence = this.#evidence.get(turn);
    const found = evidence === undefined ? "" : figuresWords(figuresIn([evidence]));
    if (!this.#live) return piped(found, position);
    const used = `${number(message.usage.outputTokens)} tokens in this turn · ${soFar(usage)}`;
    const done = kind === "argument" ? "has argued" : "has answered the others";
    return [`${name} ${done}${found === "" ? "" : `: ${found}`} (${seq} · ${used})`];
  }

  #stage(name: string, data: unknown): readonly string[] | undefined {
    switch (name) {
      case "sources_cut":
        return undefined;
      case "questions_generated": {
        const questions = fieldOf(data, "questions");
        this.#questions = Array.isArray(questions) ? questions : [];
        return [];
      }
      case "question_selected":
        return this.#selected(fieldOf(data, "question"));
      case "debater_started": {
        this.#begun = true;
        const [index, posture] = [fieldOf(data, "debaterIndex"), fieldOf(data, "posture")];
        const debaters = this.#start?.participants.filter(({ role }) => role === "debater");
        return [`${debaters?.[Number(index)]?.name ?? "A debater"} begins: ${posture}`];
      }
      case "Generating final report...":
        // On a terminal the heading of the turn shows it.
        return this.#live ? [] : [name];
      default:
        // A stage with data is shown by its message.
        return data === null || data === undefined ? [name] : [];
    }
  }

  #selected(question: unknown): readonly string[] {
    const at = this.#questions.indexOf(question);
    if (at === -1) return [];
    const which = `Question ${at + 1} of ${this.#questions.length} is debated`;
    const { pick } = this.#start?.configuration ?? {};
    return [pick === undefined ? `${which}; --pick N or --question TEXT chooses another` : which];
  }

  get #asks(): boolean {
    const { pick, question } = this.#start?.configuration ?? {};
    return pick === "ask" && question === undefined;
  }
}
