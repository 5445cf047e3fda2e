// Workflows that replay a record: a new panel judges it, or a note-taker notes its points.
import type { Rubric } from "../core/outcome.ts";
import type { Agent } from "../core/agent.ts";
import { INTERRUPTION_ANSWER, tokensFor } from "../core/profile.ts";
import { TurnOrderError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { ADVOCATE, MODERATOR, type Participant } from "../core/participant.ts";
import { INTERJECTION } from "../core/record.ts";
import {
  beginQuestions,
  beginTurns,
  type Protocol,
  settle,
  settleWhatCan,
} from "../core/protocol.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Question, Turn } from "../core/turn.ts";
import { taskOf, templatesOf } from "../debate/debate_design.ts";
import { type DebateTemplates, describeFormat, describeRubric } from "../debate/formats.ts";
import { NOTE_TAKER, notingOf } from "../debate/note_taker.ts";
import type { Side } from "../debate/rules.ts";
import { DEBATE_DEFAULTS, type DebateSettings } from "../debate/settings.ts";
import { checksIn, notesOn, verdictQuestions } from "../debate/verdict.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { Judge, WorkflowDesign, WorkflowOptions } from "../engine/workflow_options.ts";
import { scorer } from "../judging/scorer.ts";
import { labelsOf, withPositions } from "../judging/assessment.ts";
import { comparingQuestions } from "../papers/debate/judging.ts";
import { PAPER_TEMPLATES } from "../papers/debate/paper_debate_plan.ts";
import { subjectOf } from "../papers/text/debaters.ts";
import type { Convening } from "./convening.ts";

/** A judge of a new panel, with an id that no participant has. */
export interface PanelJudge extends Omit<Judge, "rubric"> {
  readonly rubric: Rubric;
}

interface NewPanel {
  readonly judges: readonly PanelJudge[];
  readonly judged: readonly string[];
  /** Number of times that each pass of a verdict is asked again. @default 0 */
  readonly verdictRepeats?: number | undefined;
}

interface Judging extends Convening, NewPanel {
  readonly sides: readonly Side[];
  /** Names of the sides in prompts, by id. */
  readonly labels: ReadonlyMap<string, string>;
  readonly factCap: boolean;
  readonly debate: RecordedDebate | undefined;
  readonly tasks: Pick<typeof JUDGING_TEMPLATES, "score" | "verdict">;
}

const PAPER_DEBATE = "paper-debate";

/** Judges an ended record again: adds scores and verdicts, and changes neither messages nor ending. */
export class JudgingWorkflow extends DialogueWorkflow<readonly Fact[]> {
  readonly #judging: Judging;

  constructor(convening: Convening, panel: NewPanel, options: WorkflowOptions) {
    const start = withPositions(convening.start, convening.facts);
    const sides = start.participants.filter(({ id }) => panel.judged.includes(id))
      .map(({ id, label, position, name }) => ({ id, label, position: position ?? name }));
    const debate = recordedDebate(start);
    const judging = {
      ...convening,
      ...panel,
      sides,
      labels: new Map(sides.map(({ id, label }) => [id, label])),
      factCap: start.configuration.factCap === true,
      debate,
      tasks: debate?.templates ?? JUDGING_TEMPLATES,
    };
    super(start.topic, spectatorsOf(convening, start), {
      ...options,
      topicCheck: "off",
      seed: start.seed,
      design: designOf(judging),
    });
    this.#judging = judging;
  }

  protected override protocol(): Protocol<readonly Fact[]> {
    return replayed(this.#judging, () => questionsOf(this.#judging));
  }
}

function questionsOf(
  { judges, start, facts, messages, sides, labels, factCap, tasks, verdictRepeats }: Judging,
): Question<unknown, Fact>[] {
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
      const checks = factCap ? checksIn(facts) : [];
      const shown = { sides, said: messages, notes, checks, task: tasks.verdict };
      return verdictQuestions({ ...by, ...shown }) as Question<unknown, Fact>[];
    }
    return comparingQuestions(
      {
        ...by,
        labels,
        papers: start.papers ?? [],
        tasks: PAPER_TEMPLATES,
        maxTokens: tokensFor("topic_scores"),
        factCap,
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

function designOf(
  { start, judges, messages, sides, labels, factCap, debate, tasks }: Judging,
): WorkflowDesign {
  const described = new Map(
    judges.map((judge) => [judge.rubric.id, describeRubric(judge.rubric, orderOf(judge, start))]),
  );
  const isPaperDebate = start.kind === PAPER_DEBATE;
  const rules = isPaperDebate ? [PAPER_TEMPLATES.rules] : debate?.rules ?? [];
  const turnsIn = ({ phase, round }: Pick<Message, "phase" | "round">) =>
    messages.filter((each) =>
      labels.has(each.participant) && each.kind !== INTERRUPTION_ANSWER &&
      each.phase === phase && each.round === round
    ).length;
  return {
    kind: start.kind,
    adds: true,
    rules: JUDGING_TEMPLATES.rules,
    notes: [...rules, ...described.values()],
    // Rules say already what judges go by.
    roles: { judge: rules.length === 0 ? JUDGING_TEMPLATES.judge : PAPER_TEMPLATES.judge },
    labels: labelsOf(start),
    judges: judges.map((judge) => ({ ...judge, rubric: judge.rubric.id })),
    // A paper debate has no scores by turn: its arguments are scored topic by topic at the end.
    observers: isPaperDebate ? [] : judges.map((judge) =>
      scorer({
        judges: [judge.id],
        rubric: judge.rubric,
        order: orderOf(judge, start),
        task: tasks.score,
        taskOf: debate && ((message, said) => taskOf({ ...debate, sides }, message, said)),
        byRound: debate?.settings.scoreBy === "round"
          ? { task: debate.templates.scoreRound, turnsIn }
          : undefined,
        labels,
        checkOf: (_message, { factCheck }) => Promise.resolve(factCheck),
        factCap,
      })
    ),
  };
}

interface RecordedDebate {
  readonly settings: DebateSettings;
  readonly templates: DebateTemplates;
  /** Rules by which speeches were made and scored. */
  readonly rules: readonly string[];
}

/** Returns the settings and prompt texts of a recorded debate; undefined for other kinds. */
function recordedDebate(
  { kind, configuration, participants }: ConveningStart,
): RecordedDebate | undefined {
  if (kind !== "debate") return undefined;
  const settings = { ...DEBATE_DEFAULTS, ...configuration } as DebateSettings;
  const templates = templatesOf(settings);
  const isModerated = participants.some(({ role }) => role === MODERATOR);
  const format = describeFormat(settings.debateFormat, isModerated);
  return { settings, templates, rules: [format, templates.speaking, templates.scoring] };
}

/** Returns the criteria's ids in the order of the prompt, shuffled by the convening's seed. */
function orderOf({ rubric, id }: PanelJudge, { seed }: ConveningStart): string[] {
  return shuffled(
    rubric.criteria.map((each) => each.id),
    seededRandom(mixSeed(seed, "rubric", id, rubric.id)),
  );
}

/** Prompt texts for judges of a record. */
const JUDGING_TEMPLATES = {
  rules:
    "This convening has ended. It is judged once more, from its record: what was said stands below, turn by turn.",
  judge:
    "You are a judge of this convening. You are impartial: what counts is how well each case was made, not whom you " +
    "agree with, nor how long a speech is, nor who spoke first.",
  score:
    "Score turn {answered}, by {opponent}, alone, by the given criteria; the other turns are context. {seen} " +
    "Give your reasons first: one strength and one gap for each criterion, at most 200 words in all. Then give a number " +
    "from the scale for each criterion.",
  verdict:
    "Compare those who took part on the whole record:\n{sides}\nThe criteria and their weights: {nextAction}. Say tie only " +
    "if you could defend either result. Give your reasons first, in at most 200 words, then the winner: the name of one " +
    "of them, or tie, then the main reason: the reason that decided, in one sentence that can be understood on its own.",
} satisfies Readonly<Record<string, string>>;

/** Replays a record and has each turn of a side noted. */
export class FlowWorkflow extends DialogueWorkflow<readonly Fact[]> {
  readonly #convening: Convening;

  constructor(convening: Convening, agent: Agent, options: WorkflowOptions) {
    const { start } = convening;
    const { participants, judges } = start;
    const { templates } = recordedDebate(start)!;
    const noting = notingOf({
      sides: participants.filter(({ role }) => role === ADVOCATE)
        .map(({ id, label, position = "" }) => ({ id, label, position })),
      task: templates.notes,
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
        roles: { [NOTE_TAKER]: templates.noteTaker },
        labels: labelsOf(start),
        helpers: [{ ...noting.helper, agent }],
        observers: [noting.taker.observer],
      },
    });
    this.#convening = convening;
  }

  protected override protocol(): Protocol<readonly Fact[]> {
    return replayed(this.#convening, () => []);
  }
}

/** Returns the participants of a record, and the judges that spoke, with agents that throw if they are asked. */
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

/** Kinds of a paper debate's messages that contain the judgement of its own judges, or can follow it. */
const AFTER_JUDGING: ReadonlySet<string> = new Set(["verdict", "report", INTERJECTION]);

/**
 * Replays a record: each turn is answered from the record and sees the same messages as before, so that blind openings stay
 * blind for their scores too. In a paper debate the closing questions are asked before the messages of its own judges are
 * replayed, so that the new judges do not see them.
 */
function* replayed(
  convening: Convening,
  questions: () => readonly Question<unknown, Fact>[],
): Protocol<readonly Fact[]> {
  const { messages, start: { kind } } = convening;
  const last = kind === PAPER_DEBATE
    ? messages.findLast((message) => !AFTER_JUDGING.has(message.kind))
    : messages.at(-1);
  const groups = concurrentTurns(convening);
  const isBefore = (turns: readonly RecordedTurn[]) =>
    turns.some(({ seq }) => seq <= (last?.seq ?? 0));
  yield* replayTurns(groups.filter(isBefore));
  const asked = yield* beginQuestions(questions());
  yield* replayTurns(groups.filter((turns) => !isBefore(turns)));
  return yield* settle(asked);
}

function* replayTurns(groups: readonly (readonly RecordedTurn[])[]): Protocol<void> {
  for (const turns of groups) {
    yield* settleWhatCan(yield* beginTurns(turns.map(({ turn }) => turn)));
  }
}

/** A turn of the record, answered or failed. */
interface RecordedTurn {
  readonly seq: number;
  readonly turn: Turn;
}

/** Groups the turns that ran concurrently: the turns of a group saw the same messages. */
function concurrentTurns({ messages, facts }: Convening): RecordedTurn[][] {
  const last = messages.at(-1)?.seq ?? 0;
  // Leave out a failure after the last message: the convening did not go on without that turn.
  const failures = facts.filter((fact) => fact.type === "failure").filter(({ seq }) => seq < last);
  const turns = [
    ...messages.filter(({ kind }) => kind !== INTERJECTION).map((each) => ({
      seq: each.seq,
      seen: each.previous ?? 0,
      turn: turnOf(each),
    })),
    ...failures.map(({ seq, turn, participant }) => ({
      seq,
      seen: 0,
      turn: { key: turn, speaker: participant, phase: "", kind: "", round: 0, task: "" },
    })),
  ].sort((a, b) => a.seq - b.seq);
  const groups: RecordedTurn[][] = [];
  let first = 0;
  for (const { seq, seen, turn } of turns) {
    const group = groups.at(-1);
    if (group === undefined || seen >= first) {
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
