// Workflows that play a record again: a new panel judges it, or its points are noted.
import { tokensFor } from "../core/asks.ts";
import type { Rubric } from "../config/convening_config.ts";
import type { Agent } from "../core/agent.ts";
import { ConfigurationError, TurnOrderError } from "../core/error.ts";
import type { Evidence, Fact, Failure } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { INTERJECTION } from "../core/past.ts";
import {
  begin,
  beginAsk,
  type Begun,
  type Protocol,
  settle,
  settleWhatCan,
} from "../core/protocol.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import type { ConveningStart, ParticipantInfo } from "../core/event.ts";
import type { Question, Turn } from "../core/turn.ts";
import { describeRubric } from "../debate/formats.ts";
import { DEBATE_TEMPLATES } from "../debate/prompts.ts";
import type { Side } from "../debate/rules.ts";
import { notesOn, verdictQuestions } from "../debate/verdict.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import { ADVOCATE, type Participant } from "../core/participant.ts";
import type { WorkflowDesign, WorkflowOptions } from "../engine/workflow_options.ts";
import { scorer } from "../judging/scorer.ts";
import { withPositions } from "../judging/stated_positions.ts";
import { comparingQuestions } from "../papers/debate/judging.ts";
import { PAPER_TEMPLATES } from "../papers/debate/turns.ts";
import { subjectOf } from "../papers/text/debaters.ts";
import { notingOf } from "../debate/flow/flow_design.ts";
import { NOTE_TAKER } from "../debate/flow/note_taker.ts";
import type { Convening } from "./convening.ts";

/** A judge who judges a record again. */
export interface PanelJudge {
  /** Unique among all who were asked before. */
  readonly id: string;
  /** As readers see it. */
  readonly name: string;
  /** The name of its model. @default the convening's */
  readonly model?: string | undefined;
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
  /** 0 to 2. @default the provider's */
  readonly temperature?: number | undefined;
  /** The rubric. */
  readonly rubric: Rubric;
}

/** The record that is judged, and the judges. */
interface JudgingOptions extends WorkflowOptions {
  readonly start: ConveningStart;
  readonly facts: readonly Fact[];
  readonly judges: readonly PanelJudge[];
  /** The ids of the participants that are judged. */
  readonly judged: readonly string[];
  /** Further askings of each pass of a verdict. @default 0 */
  readonly verdictRepeats?: number | undefined;
}

/** The verdicts and scores of the convening's own judges, and summaries made of them: those who judge again do not see them. */
const AFTER_JUDGING: ReadonlySet<string> = new Set(["verdict", "report"]);

/** Judges a record that has ended: scores and verdicts are added, what was said and how it ended stay. */
export class JudgingWorkflow extends DialogueWorkflow<readonly Fact[]> {
  readonly #options: JudgingOptions;
  readonly #sides: readonly Side[];

  /** A judging that has not started. */
  constructor(options: JudgingOptions) {
    const { facts, judges: _, judged: _ids, ...rest } = options;
    const start = withPositions(options.start, facts);
    const spoken = new Set(
      facts.flatMap((fact) => fact.type === "message" ? fact.participant : []),
    );
    const sides = start.participants.filter(({ id }) => options.judged.includes(id))
      .filter(({ id }) => start.kind !== PAPER_DEBATE || spoken.has(id))
      .map(({ id, label, position, name }) => ({ id, label, position: position ?? name }));
    if (!facts.some((fact) => fact.type === "message")) {
      throw new ConfigurationError("Cannot judge: nothing was said", { field: "dir" });
    }
    super(start.topic, spectatorsOf(start, facts), {
      ...rest,
      topicCheck: "off",
      seed: start.seed,
      design: designOf(options, sides),
    });
    this.#options = options;
    this.#sides = sides;
  }

  /** Every turn from the record, and the closing questions. */
  protected override protocol(): Protocol<readonly Fact[]> {
    const { facts } = this.#options;
    const messages = facts.filter((fact): fact is Message => fact.type === "message");
    return playedAgain({
      messages,
      failures: facts.filter((fact): fact is Failure => fact.type === "failure"),
      through: throughOf(messages, this.#options.start),
      questions: () => this.#questions(messages),
    });
  }

  #questions(messages: readonly Message[]): Question<unknown, Fact>[] {
    const { judges, start, facts, verdictRepeats } = this.#options;
    const ids = new Set(this.#sides.map(({ id }) => id));
    const speeches = messages.filter(({ participant }) => ids.has(participant));
    const { verdict } = JUDGING_TEMPLATES;
    return judges.flatMap((judge): Question<unknown, Fact>[] => {
      const by = {
        judges: [judge.id],
        rubric: judge.rubric,
        order: orderOf(judge, start),
        seed: start.seed,
        repeats: verdictRepeats,
      };
      if (start.kind !== PAPER_DEBATE) {
        return verdictQuestions({
          ...by,
          sides: this.#sides,
          said: messages,
          notes: notesOn(facts, messages),
          task: verdict,
        }) as Question<unknown, Fact>[];
      }
      const labels = new Map(this.#sides.map(({ id, label }) => [id, label]));
      const tasks = { ...PAPER_TEMPLATES, verdict };
      const evidence = facts.filter((fact): fact is Evidence => fact.type === "evidence");
      return comparingQuestions(
        {
          ...by,
          labels,
          papers: start.papers ?? [],
          tasks,
          maxTokens: tokensFor("topic_scores"),
          factCap: start.configuration["factCap"] === true,
        },
        subjectOf(facts),
        { speeches, evidence, found: facts },
      );
    });
  }
}

const PAPER_DEBATE = "paper-debate";

/** The last message that is judged: of a paper debate, the last before its own judges spoke. */
function throughOf(messages: readonly Message[], { kind }: ConveningStart): number {
  const judged = kind === PAPER_DEBATE
    ? messages.filter((message) => !AFTER_JUDGING.has(message.kind))
    : messages;
  return judged.at(-1)?.seq ?? 0;
}

/** The participants of a record, and the judges that spoke: they are not asked any more. */
export function spectatorsOf(
  { participants, judges }: ConveningStart,
  facts: readonly Fact[],
): readonly Participant[] {
  const spoken = new Set(facts.flatMap((fact) => fact.type === "message" ? fact.participant : []));
  const others = judges.filter(({ id }) => spoken.has(id))
    .map(({ id, name, model }) => ({ id, name, model, role: "spoken_judge" }));
  return [...participants, ...others].map(spectator);
}

function designOf(
  { start, judges, facts }: JudgingOptions,
  sides: readonly Side[],
): WorkflowDesign {
  const labels = new Map(sides.map(({ id, label }) => [id, label]));
  const described = new Map(
    judges.map((judge) => [
      judge.rubric.id,
      describeRubric(judge.rubric, orderOf(judge, start)),
    ]),
  );
  return {
    kind: start.kind,
    adds: true,
    rules: JUDGING_TEMPLATES.rules,
    notes: [...described.values()],
    roles: { judge: JUDGING_TEMPLATES.judge },
    labels: new Map([...start.participants, ...start.judges.map(labelled)]
      .map(({ id, label }) => [id, label])),
    judges: judges.map((judge) => ({ ...judge, rubric: judge.rubric.id })),
    // A paper debate's arguments are scored topic by topic, once all is said.
    observers: start.kind === PAPER_DEBATE ? [] : judges.map((judge) =>
      scorer({
        judges: [judge.id],
        rubric: judge.rubric,
        order: orderOf(judge, start),
        task: JUDGING_TEMPLATES.score,
        byRound: start.configuration.scoreBy !== "round" ? undefined : {
          task: DEBATE_TEMPLATES.scoreRound,
          turnsIn: ({ phase, round }) => spokenIn(facts, labels, { phase, round }),
        },
        labels,
        checkOf: (_message, { factCheck }) => Promise.resolve(factCheck),
        factCap: start.configuration["factCap"] === true,
      })
    ),
  };
}

/** Number of messages of a round that are scored. */
function spokenIn(
  facts: readonly Fact[],
  labels: ReadonlyMap<string, string>,
  { phase, round }: Pick<Message, "phase" | "round">,
): number {
  return facts.filter((fact) =>
    fact.type === "message" && labels.has(fact.participant) && fact.phase === phase &&
    fact.round === round
  ).length;
}

function labelled({ id, name }: ConveningStart["judges"][number]): { id: string; label: string } {
  return { id, label: name };
}

/** The criteria in the order they are shown, drawn from the convening's seed. */
function orderOf({ rubric, id }: PanelJudge, { seed }: ConveningStart): string[] {
  return shuffled(
    rubric.criteria.map((each) => each.id),
    seededRandom(mixSeed(seed, "rubric", id, rubric.id)),
  );
}

/** A participant of the record, who is not asked any more. */
function spectator(
  { id, name, role, position, model }: Pick<
    ParticipantInfo,
    "id" | "name" | "role" | "position" | "model"
  >,
): Participant {
  const agent: Agent = {
    model,
    reply: ({ context }) =>
      Promise.reject(
        new TurnOrderError(`Cannot ask ${name} for "${context.key}": the convening has ended`),
      ),
  };
  return { id, name, role, position, agent };
}

/** The texts of those who judge a record again. */
const JUDGING_TEMPLATES = {
  rules:
    "This convening has ended. It is judged once more, from its record: what was said stands below, turn by turn.",
  judge:
    "You are {name}, a judge of this convening. You are impartial: what counts is how well each case was made, not whom you " +
    "agree with, nor how long a speech is, nor who spoke first.",
  score:
    "Score turn {answered}, by {opponent}, alone, by the criteria above; the other turns are context. {seen} " +
    "Give your reasons first: one strength and one gap for each criterion, at most 200 words in all. Then give a number " +
    "from the scale for each criterion.",
  verdict:
    "Compare those who took part on the whole record:\n{sides}\nThe weights of the criteria are those above. Say tie only " +
    "if you could defend either result. Give your reasons first, in at most 200 words, then the winner: the name of one " +
    "of them, or tie.",
} satisfies Readonly<Record<string, string>>;

/** A record that is judged again, and the questions about it. */
interface PlayedRules {
  /** The messages, by number. */
  readonly messages: readonly Message[];
  /** The turns that failed and were done without. */
  readonly failures: readonly Failure[];
  /** The number of the last message that the closing questions are about; those after it tell how it was judged. */
  readonly through: number;
  /** The closing questions about the messages. */
  readonly questions: (messages: readonly Message[]) => readonly Question<unknown, Fact>[];
}

/**
 * A record, played from what was said: every turn is answered from the record, with the view it had then, so that
 * blind openings are blind to those who score them too. The closing questions are asked before what the convening's own
 * judges said, so that nobody goes by that.
 */
export function* playedAgain(rules: PlayedRules): Protocol<readonly Fact[]> {
  const all = heats(rules);
  const isBefore = (turns: readonly Taken[]) => turns.some(({ seq }) => seq <= rules.through);
  yield* play(all.filter(isBefore));
  const asked: Begun<Fact>[] = [];
  for (const question of rules.questions(rules.messages)) asked.push(yield* beginAsk(question));
  yield* play(all.filter((turns) => !isBefore(turns)));
  return yield* settle(asked);
}

function* play(heats: readonly (readonly Taken[])[]): Protocol<void> {
  for (const turns of heats) {
    const begun: Begun<Message>[] = [];
    for (const { turn } of turns) begun.push(yield* begin(turn));
    yield* settleWhatCan(begun);
  }
}

/** A turn that was taken, or failed. */
interface Taken {
  readonly seq: number;
  readonly turn: Turn;
}

/** The turns in groups that had been given the same messages. */
function heats({ messages, failures }: PlayedRules): Taken[][] {
  const last = messages.at(-1)?.seq ?? 0;
  const taken = [
    ...messages.filter(({ kind }) => kind !== INTERJECTION).map((each) => ({
      seq: each.seq,
      given: each.previous ?? 0,
      turn: turnOf(each),
    })),
    // A failure after the last message was never done without.
    ...failures.filter(({ seq }) => seq < last).map(({ seq, turn, participant }) => ({
      seq,
      given: undefined,
      turn: { key: turn, speaker: participant, phase: "", kind: "", round: 0, task: "" },
    })),
  ].sort((a, b) => a.seq - b.seq);
  const groups: Taken[][] = [];
  let first = 0;
  for (const { seq, given, turn } of taken) {
    const group = groups.at(-1);
    if (group === undefined || (given ?? 0) >= first) {
      groups.push([{ seq, turn }]);
      first = seq;
    } else group.push({ seq, turn });
  }
  return groups;
}

function turnOf({ turn, participant, phase, kind, round, replyTo }: Message): Turn {
  const aside = kind === "round_summary";
  return { key: turn, speaker: participant, phase, kind, round, replyTo, aside, task: "" };
}

/** Plays a record again, and has each turn of a side noted. */
export class FlowWorkflow extends DialogueWorkflow<readonly Fact[]> {
  readonly #convening: Convening;

  constructor(convening: Convening, agent: Agent, options: WorkflowOptions) {
    const { start, facts } = convening;
    const noting = notingOf({
      sides: start.participants.filter(({ role }) => role === ADVOCATE)
        .map(({ id, label, position = "" }) => ({ id, label, position })),
      task: DEBATE_TEMPLATES.notes,
      required: true,
      taken: [...start.participants, ...start.judges].map(({ id }) => id),
    });
    super(start.topic, spectatorsOf(start, facts), {
      ...options,
      topicCheck: "off",
      seed: start.seed,
      design: {
        kind: start.kind,
        adds: true,
        roles: { [NOTE_TAKER]: DEBATE_TEMPLATES.noteTaker },
        labels: new Map([
          ...start.judges.map(({ id, name }) => [id, name] as const),
          ...start.participants.map(({ id, label }) => [id, label] as const),
        ]),
        helpers: [{ ...noting.helper, agent }],
        observers: [noting.taker.observer],
      },
    });
    this.#convening = convening;
  }

  /** Every turn from the record. */
  protected override protocol(): Protocol<readonly Fact[]> {
    const { messages, facts } = this.#convening;
    return playedAgain({
      messages,
      failures: facts.filter((fact) => fact.type === "failure"),
      through: messages.at(-1)!.seq,
      questions: () => [],
    });
  }
}
