// Workflows that play a record again: a new panel judges it, or its points are noted.
import type { Rubric } from "../config/convening_config.ts";
import type { Agent } from "../core/agent.ts";
import { tokensFor } from "../core/asks.ts";
import { TurnOrderError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { ADVOCATE, type Participant } from "../core/participant.ts";
import { INTERJECTION } from "../core/record.ts";
import {
  begin,
  beginAsk,
  type Begun,
  type Protocol,
  settle,
  settleWhatCan,
} from "../core/protocol.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Question, Turn } from "../core/turn.ts";
import { NOTE_TAKER, notingOf } from "../debate/note_taker.ts";
import { DEBATE_TEMPLATES, describeRubric } from "../debate/formats.ts";
import type { Side } from "../debate/rules.ts";
import { notesOn, verdictQuestions } from "../debate/verdict.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { WorkflowDesign, WorkflowOptions } from "../engine/workflow_options.ts";
import { scorer } from "../judging/scorer.ts";
import { withPositions } from "../judging/assessment.ts";
import { comparingQuestions } from "../papers/debate/judging.ts";
import { PAPER_TEMPLATES } from "../papers/debate/turns.ts";
import { subjectOf } from "../papers/text/debaters.ts";
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
  readonly rubric: Rubric;
}

interface Panel {
  readonly judges: readonly PanelJudge[];
  /** The ids of the participants that are judged. */
  readonly judged: readonly string[];
  /** Further askings of each pass of a verdict. @default 0 */
  readonly verdictRepeats?: number | undefined;
}

type Judging = Convening & Panel & { readonly sides: readonly Side[] };

const PAPER_DEBATE = "paper-debate";

/** Judges a record that has ended: scores and verdicts are added, what was said and how it ended stay. */
export class JudgingWorkflow extends DialogueWorkflow<readonly Fact[]> {
  readonly #judging: Judging;

  /** A judging that has not started. */
  constructor(convening: Convening, panel: Panel, options: WorkflowOptions) {
    const { facts, messages } = convening;
    const start = withPositions(convening.start, facts);
    const spoken = new Set(messages.map(({ participant }) => participant));
    const sides = start.participants.filter(({ id }) => panel.judged.includes(id))
      .filter(({ id }) => start.kind !== PAPER_DEBATE || spoken.has(id))
      .map(({ id, label, position, name }) => ({ id, label, position: position ?? name }));
    const judging = { ...convening, ...panel, sides };
    super(start.topic, spectatorsOf(convening, start), {
      ...options,
      topicCheck: "off",
      seed: start.seed,
      design: designOf(judging),
    });
    this.#judging = judging;
  }

  /** Every turn from the record, and the closing questions. */
  protected override protocol(): Protocol<readonly Fact[]> {
    return playedAgain(this.#judging, () => questionsOf(this.#judging));
  }
}

function questionsOf(
  { judges, start, facts, messages, sides, verdictRepeats }: Judging,
): Question<unknown, Fact>[] {
  const labels = new Map(sides.map(({ id, label }) => [id, label]));
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
      const notes = notesOn(facts, messages);
      return verdictQuestions({ ...by, sides, said: messages, notes, task: verdict }) as Question<
        unknown,
        Fact
      >[];
    }
    return comparingQuestions(
      {
        ...by,
        labels,
        papers: start.papers ?? [],
        tasks: { ...PAPER_TEMPLATES, verdict },
        maxTokens: tokensFor("topic_scores"),
        factCap: start.configuration["factCap"] === true,
      },
      subjectOf(facts),
      {
        speeches: messages.filter(({ participant }) => labels.has(participant)),
        evidence: facts.filter((fact) => fact.type === "evidence"),
        found: facts,
      },
    );
  });
}

function designOf({ start, judges, messages, sides }: Judging): WorkflowDesign {
  const labels = new Map(sides.map(({ id, label }) => [id, label]));
  const described = new Map(
    judges.map((judge) => [judge.rubric.id, describeRubric(judge.rubric, orderOf(judge, start))]),
  );
  const turnsIn = ({ phase, round }: Pick<Message, "phase" | "round">) =>
    messages.filter((each) =>
      labels.has(each.participant) && each.phase === phase && each.round === round
    ).length;
  return {
    kind: start.kind,
    adds: true,
    rules: JUDGING_TEMPLATES.rules,
    notes: [...described.values()],
    roles: { judge: JUDGING_TEMPLATES.judge },
    labels: labelsOf([...start.participants, ...start.judges.map(asLabelled)]),
    judges: judges.map((judge) => ({ ...judge, rubric: judge.rubric.id })),
    // A paper debate's arguments are scored topic by topic, once all is said.
    observers: start.kind === PAPER_DEBATE ? [] : judges.map((judge) =>
      scorer({
        judges: [judge.id],
        rubric: judge.rubric,
        order: orderOf(judge, start),
        task: JUDGING_TEMPLATES.score,
        byRound: start.configuration.scoreBy === "round"
          ? { task: DEBATE_TEMPLATES.scoreRound, turnsIn }
          : undefined,
        labels,
        checkOf: (_message, { factCheck }) => Promise.resolve(factCheck),
        factCap: start.configuration["factCap"] === true,
      })
    ),
  };
}

type Labelled = { readonly id: string; readonly label: string };

function asLabelled({ id, name }: ConveningStart["judges"][number]): Labelled {
  return { id, label: name };
}

function labelsOf(all: readonly Labelled[]): ReadonlyMap<string, string> {
  return new Map(all.map(({ id, label }) => [id, label]));
}

/** The criteria in the order they are shown, drawn from the convening's seed. */
function orderOf({ rubric, id }: PanelJudge, { seed }: ConveningStart): string[] {
  return shuffled(
    rubric.criteria.map((each) => each.id),
    seededRandom(mixSeed(seed, "rubric", id, rubric.id)),
  );
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

/** Plays a record again, and has each turn of a side noted. */
export class FlowWorkflow extends DialogueWorkflow<readonly Fact[]> {
  readonly #convening: Convening;

  /** A noting that has not started. */
  constructor(convening: Convening, agent: Agent, options: WorkflowOptions) {
    const { start } = convening;
    const { participants, judges } = start;
    const noting = notingOf({
      sides: participants.filter(({ role }) => role === ADVOCATE)
        .map(({ id, label, position = "" }) => ({ id, label, position })),
      task: DEBATE_TEMPLATES.notes,
      required: true,
      taken: [...participants, ...judges].map(({ id }) => id),
    });
    super(start.topic, spectatorsOf(convening, start), {
      ...options,
      topicCheck: "off",
      seed: start.seed,
      design: {
        kind: start.kind,
        adds: true,
        roles: { [NOTE_TAKER]: DEBATE_TEMPLATES.noteTaker },
        labels: labelsOf([...judges.map(asLabelled), ...participants]),
        helpers: [{ ...noting.helper, agent }],
        observers: [noting.taker.observer],
      },
    });
    this.#convening = convening;
  }

  /** Every turn from the record. */
  protected override protocol(): Protocol<readonly Fact[]> {
    return playedAgain(this.#convening, () => []);
  }
}

/** The participants of a record, and the judges that spoke: they are not asked any more. */
function spectatorsOf(
  { messages }: Convening,
  { participants, judges }: ConveningStart,
): readonly Participant[] {
  const spoken = new Set(messages.map(({ participant }) => participant));
  const others = judges.filter(({ id }) => spoken.has(id))
    .map(({ id, name, model }) => ({ id, name, model, role: "spoken_judge", position: undefined }));
  return [...participants, ...others].map(({ id, name, role, position, model }) => {
    const agent: Agent = {
      model,
      reply: ({ context }) =>
        Promise.reject(
          new TurnOrderError(`Cannot ask ${name} for "${context.key}": the convening has ended`),
        ),
    };
    return { id, name, role, position, agent };
  });
}

/** The verdicts and scores of the convening's own judges, and summaries made of them: those who judge again do not see them. */
const AFTER_JUDGING: ReadonlySet<string> = new Set(["verdict", "report"]);

/**
 * A record, played from what was said: every turn is answered from the record, with the view it had then, so that
 * blind openings are blind to those who score them too. The closing questions are asked before what a paper debate's own
 * judges said, so that nobody goes by that.
 */
function* playedAgain(
  convening: Convening,
  questions: () => readonly Question<unknown, Fact>[],
): Protocol<readonly Fact[]> {
  const { messages, start: { kind } } = convening;
  const last = kind === PAPER_DEBATE
    ? messages.findLast((message) => !AFTER_JUDGING.has(message.kind))
    : messages.at(-1);
  const all = heats(convening);
  const isBefore = (turns: readonly Taken[]) => turns.some(({ seq }) => seq <= (last?.seq ?? 0));
  yield* play(all.filter(isBefore));
  const asked: Begun<Fact>[] = [];
  for (const question of questions()) asked.push(yield* beginAsk(question));
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
function heats({ messages, facts }: Convening): Taken[][] {
  const last = messages.at(-1)?.seq ?? 0;
  // A failure after the last message was never done without.
  const failures = facts.filter((fact) => fact.type === "failure").filter(({ seq }) => seq < last);
  const taken = [
    ...messages.filter(({ kind }) => kind !== INTERJECTION).map((each) => ({
      seq: each.seq,
      given: each.previous ?? 0,
      turn: turnOf(each),
    })),
    ...failures.map(({ seq, turn, participant }) => ({
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
