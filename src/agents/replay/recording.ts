// Facts of a record, found by the keys of turns and questions.
import type { RequestContext } from "../../core/agent.ts";
import {
  type Choice,
  type Context,
  type Evidence,
  type Fact,
  type FactCheck,
  type Failure,
  type Flow,
  LAST_OWN_LOOK_UP,
  type LookUp,
  type Score,
  type Stance,
  type Stop,
  type TurnDraft,
  type Verdict,
} from "../../core/fact.ts";
import { type Message, sha256 } from "../../core/message.ts";
import { questionKey } from "../../core/past.ts";
import type { ToolTrace } from "../../core/tool.ts";
import { bodyIn, fieldOf, queryIn, rubricIn, saidIn } from "./question_data.ts";

/** Facts that answer questions. */
export type AnswerFact = Score | Verdict | Choice | Stance | Context | Stop;

/** The kinds of questions that leave a score. */
const SCORING: ReadonlySet<string> = new Set(["score", "topic_scores"]);
/** The kind of question that compares an attempt with a persona. */
const PERSONA_CHECK = "persona_check";

/** Facts of a record, found by the keys that turns and questions are asked with. */
export class Recording {
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #bySeq: ReadonlyMap<number, Message>;
  readonly #facts: ReadonlyMap<string, readonly AnswerFact[]>;
  readonly #drafts = new Map<string, TurnDraft>();
  readonly #evidence = new Map<string, Evidence>();
  readonly #failures = new Map<string, Failure>();
  readonly #checks = new Map<number, FactCheck>();
  readonly #flows = new Map<number, Flow>();
  /** By turn, and by what it was found of. */
  readonly #personaChecks = new Map<string, Choice>();
  /** By the number of their message. */
  readonly #lookUps: ReadonlyMap<number, readonly LookUp[]>;

  /** An index over a record's messages, by turn key, and its facts. */
  constructor(messages: ReadonlyMap<string, Message>, facts: readonly Fact[]) {
    this.#messages = messages;
    this.#bySeq = new Map([...messages.values()].map((message) => [message.seq, message]));
    this.#facts = answersIn(facts);
    this.#lookUps = Map.groupBy(
      facts.filter((fact) => fact.type === "lookup"),
      ({ seq }) => seq,
    );
    for (const fact of facts) {
      if (fact.type === "draft") this.#drafts.set(fact.turn, fact);
      if (fact.type === "evidence") this.#evidence.set(fact.turn, fact);
      if (fact.type === "failure") this.#failures.set(fact.turn, fact);
      if (fact.type === "fact-check") this.#checks.set(fact.message, fact);
      if (fact.type === "flow") this.#flows.set(fact.message, fact);
      if (fact.type === "choice" && fact.kind === PERSONA_CHECK) {
        this.#personaChecks.set(`${checkedTurn(fact.key)} ${fieldOf(fact.value, "of")}`, fact);
      }
    }
  }

  /** The accepted message of a turn. */
  message(turn: string): Message | undefined {
    return this.#messages.get(turn);
  }

  /** Private texts of a turn's speaker. */
  draft(turn: string): TurnDraft | undefined {
    return this.#drafts.get(turn);
  }

  /** Evidence of a turn's message. */
  evidence(turn: string): Evidence | undefined {
    return this.#evidence.get(turn);
  }

  /** The stance that a turn's own reply stated, or that was asked for after it. */
  stanceAfter(turn: string): Stance | undefined {
    return this.#facts.get(`stance/${turn}`)?.find((fact) => fact.type === "stance");
  }

  /** The failure of a turn that nothing was said in. */
  failure(turn: string): Failure | undefined {
    return this.#failures.get(turn);
  }

  /** Tool calls of a turn's speaker. */
  traces(turn: string): readonly ToolTrace[] {
    return (this.#lookUps.get(this.#messages.get(turn)?.seq ?? 0) ?? [])
      .filter((each) => each.turn === turn && each.number <= LAST_OWN_LOOK_UP)
      .map(({ tool, args, result, failed }) => ({ tool, args, result, failed }));
  }

  /** The fact that a question left; of several with one key the first that was made counts, a rubric's own before others. */
  answer(context: RequestContext): AnswerFact | undefined {
    const { key, kind, data } = context;
    if (kind === PERSONA_CHECK) return this.#personaCheck(context);
    if (!SCORING.has(kind)) return this.#facts.get(key)?.[0];
    const rubric = rubricIn(data);
    const scores = this.#facts.get(this.#scoreKey(context)) ?? [];
    return scores.find((fact) => fact.type === "score" && fact.rubric === rubric) ?? scores[0];
  }

  /** The fact check of a statement: of the message that says the same, else of the one of that number. */
  checkOf(seq: number, body: string | undefined): FactCheck | undefined {
    return this.#checks.get(this.#numberOf(seq, (message) => message.body === body));
  }

  /** The points of a statement: of the message that says the same, else of the message of that number. */
  flowOf(seq: number, body: string | undefined): Flow | undefined {
    return this.#flows.get(this.#numberOf(seq, (message) => message.body === body));
  }

  /** The fact check that a claim is in: of the message of the given number, else the first that has it. */
  checkWith(seq: number, claim: string): FactCheck | undefined {
    const own = this.#checks.get(seq);
    if (own !== undefined && this.queriesFor(seq).includes(claim)) return own;
    const holds = ({ claims }: FactCheck) => claims.some(({ text }) => text === claim);
    return own !== undefined && holds(own) ? own : this.#checks.values().find(holds) ?? own;
  }

  /** Queries of the fact check of a message, by claim. */
  queriesFor(message: number): readonly string[] {
    const asked = (this.#lookUps.get(message) ?? []).filter(({ number }) =>
      number > LAST_OWN_LOOK_UP
    );
    return [...new Set(asked.flatMap(({ args }) => queryIn(args) ?? []))];
  }

  /** Interjections are not heard again, so that numbers after one differ: what was said tells which message is meant. */
  #scoreKey({ key, data }: RequestContext): string {
    const [, seq = "", judge] = /^score\/(\d+)\/(.+)$/s.exec(key) ?? [];
    const said = saidIn(data);
    const number = this.#numberOf(
      Number(seq),
      ({ participant, body }) => participant === said?.participant && body === said.body,
    );
    return judge === undefined ? key : `score/${number}/${judge}`;
  }

  /** The number of the message that is meant: the given one if that fits or nothing does, else the first that fits. */
  #numberOf(seq: number, fits: (message: Message) => boolean): number {
    const own = this.#bySeq.get(seq);
    if (own !== undefined && fits(own)) return seq;
    return this.#messages.values().find(fits)?.seq ?? seq;
  }

  /** A replayed turn is said right the first time: what was said, and not the attempt's number, tells which check is meant. */
  #personaCheck({ key, data }: RequestContext): AnswerFact | undefined {
    const turn = checkedTurn(key);
    const of = sha256(bodyIn(data) ?? "").slice(0, 16);
    const attempts = this.#messages.get(turn)?.attempts ?? 1;
    return this.#personaChecks.get(`${turn} ${of}`) ??
      this.#facts.get(`persona/${turn}/${attempts}`)?.[0];
  }
}

/** The turn whose attempt a persona check is about: its key is `persona/TURN/ATTEMPT`. */
function checkedTurn(key: string): string {
  return key.replace(/^persona\/|\/\d+$/g, "");
}

/** The facts that answer questions, by key, in the order in which they were made. */
function answersIn(facts: readonly Fact[]): Map<string, AnswerFact[]> {
  const answers = new Map<string, AnswerFact[]>();
  for (const fact of facts) {
    const key = keyOf(fact);
    if (key === undefined) continue;
    answers.set(key.name, [...answers.get(key.name) ?? [], key.fact]);
  }
  for (const list of answers.values()) {
    list.sort((a, b) => a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);
  }
  return answers;
}

function keyOf(fact: Fact): { readonly name: string; readonly fact: AnswerFact } | undefined {
  switch (fact.type) {
    case "score":
    case "verdict":
    case "choice":
    case "stance":
      return { name: questionKey(fact), fact };
    case "context":
      return { name: `fold/${fact.number}`, fact };
    case "stop":
      return { name: `stop/${fact.number}`, fact };
    default:
      return undefined;
  }
}
